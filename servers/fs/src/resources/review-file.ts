import { Text, type RequestContext } from '@org/mcp-decorators';

import type { Files } from '../files.ts';
import { kindOf, KIND_SAMPLE } from '../text/kind.ts';
import { WHOLE_FILE } from '../text/window.ts';
import { PathInput } from '../operations/path-input.ts';
import { asked, embedded, inParticular, type PromptMessage } from './prompt-message.ts';
import { windowOf } from '../operations/read-text-file.ts';

export class ReviewFileArguments extends PathInput {
  @Text('What to look at in particular', { optional: true }) focus?: string;
}

/** @throws ToolError BINARY_FILE, ENCODING, and those of `Roots.openFile` */
export async function reviewFile(
  files: Files,
  { path, focus }: ReviewFileArguments,
  { signal }: RequestContext,
): Promise<readonly PromptMessage[]> {
  await using file = await files.roots.openFile(path);
  const { text, truncated, lines } = await windowOf(file, {
    given: path,
    range: WHOLE_FILE,
    encoding: 'auto',
    maxBytes: files.limits.maxResourceBytes,
    signal,
  });
  const sample = await file.readAt(0, KIND_SAMPLE);
  const { mime } = await kindOf(sample, sample.length < KIND_SAMPLE, file.shown);
  const cut = truncated ? ` Only its first ${lines} lines are here; read_text_file reads on with offset ${lines}.` : '';
  const request = 'Review this file. Name what is wrong or unclear, each with its line, the worst first.';
  return [asked(request + inParticular(focus) + cut), embedded(file, mime, text)];
}
