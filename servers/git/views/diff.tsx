import { DiffPages, showView, type ViewProps } from '@org/mcp-views';
import type { VNode } from 'preact';

showView('mcp-git-diff', Diff);

function Diff({ client, tool, input, result }: ViewProps): VNode {
  return <DiffPages client={client} tool={tool ?? guessTool(input)} input={input} result={result} />;
}

/** Returns the tool that was probably called, based on the names of its arguments, for clients that do not report the tool. */
function guessTool(input: ViewProps['input']): string {
  if ('revision' in input) return 'git_show';
  return 'target' in input ? 'git_diff' : 'git_diff_unstaged';
}
