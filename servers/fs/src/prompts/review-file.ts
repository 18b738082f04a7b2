import { Text, type RequestContext } from '@org/mcp-decorators';

import { visibleName } from '../text/format.ts';
import { numberLines } from '../text/lines.ts';
import { WHOLE_FILE } from '../text/read-window.ts';
import type { Files } from '../tools/files.ts';
import { PathInput } from '../tools/path-input.ts';
import { readTextWindow } from '../tools/reading/read-text-file.ts';
import { focusSentence, requestMessage, type PromptMessage } from './prompt-message.ts';

export class ReviewFileArguments extends PathInput {
  @Text('Aspect to focus on', { optional: true }) focus?: string;
}

/** @throws ToolError BINARY_FILE, ENCODING, and the codes of `Roots.openFile` */
export async function reviewFile(
  files: Files,
  { path, focus }: ReviewFileArguments,
  { signal }: RequestContext,
): Promise<readonly PromptMessage[]> {
  await using file = await files.roots.openFile(path);
  const { text, truncated, lines } = await readTextWindow(file, {
    given: path,
    range: WHOLE_FILE,
    encoding: 'auto',
    maxBytes: files.limits.maxResourceBytes,
    signal,
  });
  const cut = truncated
    ? ` The prompt contains only the first ${lines} lines of the file; to read on, call read_text_file with offset ${lines}.`
    : '';
  const request = `Review the file ${visibleName(file.shown)}. List errors and unclear parts with their line numbers, the most serious first.`;
  const form = ' The next message is its text, with a line number and a tab before each line.';
  return [requestMessage(request + focusSentence(focus) + form + cut), requestMessage(numberLines(text, 1))];
}
