import { Text, type RequestContext } from '@org/mcp-decorators';

import { DIRECTORY_MIME } from '../resources/list-roots.ts';
import { withResourceLimits, type Files } from '../tools/files.ts';
import { directoryTree, DirectoryTreeInput } from '../tools/finding/directory-tree.ts';
import { PathInput } from '../tools/path-input.ts';
import { focusSentence, requestMessage, resourceMessage, type PromptMessage } from './prompt-message.ts';

/** Maximum number of entries of the embedded tree, because a larger tree is hard to survey. */
const MAX_ENTRIES = 500;

export class SummarizeDirectoryArguments extends PathInput {
  @Text('Aspect to focus on', { optional: true }) focus?: string;
}

/**
 * Requests a summary of a directory and embeds its tree: three levels and at most 500 entries. The tree omits ignored files
 * unless the operator set `--gitignore off`.
 *
 * @throws ToolError the codes of `directoryTree`
 */
export async function summarizeDirectory(
  files: Files,
  { path, focus }: SummarizeDirectoryArguments,
  context: RequestContext,
): Promise<readonly PromptMessage[]> {
  const input = {
    path,
    format: 'compact',
    maxEntries: MAX_ENTRIES,
    gitignore: files.defaultFilters.gitignore !== 'off',
  } as const;
  const {
    text,
    path: shown,
    entries,
    truncated,
  } = await directoryTree(withResourceLimits(files), Object.assign(new DirectoryTreeInput(), input), context);
  const cut = truncated
    ? ` The prompt contains only ${entries} entries of the directory tree; directory_tree shows deeper entries.`
    : '';
  const request =
    'Summarize this directory: its purpose, its structure and the files to read first. Read the files that explain it, such as a README, before you answer.';
  const tree = text === '' ? 'The directory is empty' : text;
  return [requestMessage(request + focusSentence(focus) + cut), resourceMessage(shown, DIRECTORY_MIME, tree)];
}
