import { DiffPages, showView, type ViewProps } from '@org/mcp-views';
import type { VNode } from 'preact';

showView('mcp-git-diff', Diff);

function Diff({ client, tool, input, result }: ViewProps): VNode {
  return <DiffPages client={client} tool={tool ?? guessTool(input)} input={input} result={result} />;
}

/** For clients that do not say which tool was called: the names of its arguments differ. */
function guessTool(input: ViewProps['input']): string {
  if ('revision' in input) return 'git_show';
  return 'target' in input ? 'git_diff' : 'git_diff_unstaged';
}
