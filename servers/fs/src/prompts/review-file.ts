import { Text, type RequestContext } from '@org/mcp-decorators';

import { detectKind, KIND_SAMPLE } from '../text/content-kind.ts';
import { WHOLE_FILE } from '../text/read-window.ts';
import type { Files } from '../tools/files.ts';
import { PathInput } from '../tools/path-input.ts';
import { readTextWindow } from '../tools/reading/read-text-file.ts';
import { focusSentence, requestMessage, resourceMessage, type PromptMessage } from './prompt-message.ts';

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
  const sample = await file.readAt(0, KIND_SAMPLE);
  const { mime } = await detectKind(sample, sample.length < KIND_SAMPLE, file.shown);
  const cut = truncated
    ? ` The prompt contains only the first ${lines} lines of the file; to read on, call read_text_file with offset ${lines}.`
    : '';
  const request = 'Review this file. List errors and unclear parts with their line numbers, the most serious first.';
  return [requestMessage(request + focusSentence(focus) + cut), resourceMessage(file, mime, text)];
}
