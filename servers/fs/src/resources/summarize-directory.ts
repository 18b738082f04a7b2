import { Text, type RequestContext } from '@org/mcp-decorators';

import { asResource, type Files } from '../files.ts';
import { directoryTree, DirectoryTreeInput } from '../operations/directory-tree.ts';
import { DIRECTORY } from './list-roots.ts';
import { PathInput } from '../operations/path-input.ts';
import { asked, embedded, inParticular, type PromptMessage } from './prompt-message.ts';

/** As much of a tree as is looked over at once. */
const MOST_ENTRIES = 500;

export class SummarizeDirectoryArguments extends PathInput {
  @Text('What to look at in particular', { optional: true }) focus?: string;
}

/**
 * Asks for a summary of a directory, with its tree: three levels, at most 500 entries, without what `.gitignore` files leave out unless
 * nothing keeps to them.
 *
 * @throws ToolError as `directoryTree`
 */
export async function summarizeDirectory(
  files: Files,
  { path, focus }: SummarizeDirectoryArguments,
  context: RequestContext,
): Promise<readonly PromptMessage[]> {
  const input = { path, format: 'compact', maxEntries: MOST_ENTRIES, gitignore: files.habits.gitignore !== 'off' } as const;
  const {
    text,
    path: shown,
    entries,
    truncated,
  } = await directoryTree(asResource(files), Object.assign(new DirectoryTreeInput(), input), context);
  const cut = truncated ? ` Only ${entries} entries of its tree are here; directory_tree shows what is further down.` : '';
  const request =
    'Summarize this directory: what it is for, how it is organized and which files to read first. Read those that tell it, such as a README, before you answer.';
  const tree = text === '' ? 'The directory is empty' : text;
  return [asked(request + inParticular(focus) + cut), embedded({ shown }, DIRECTORY, tree)];
}
