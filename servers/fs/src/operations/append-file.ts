import { Flag, Text, type RequestContext } from '@org/mcp-decorators';
import type { OpenFile } from '@org/mcp-roots';

import type { Files } from '../files.ts';
import { partsOf } from '../journal/contents.ts';
import { encode, eolOf } from '../text/encoding.ts';
import { changeFile, openTarget, withFile } from '../write/change-file.ts';
import { ENDS } from '../write/edits/line-ends.ts';
import { readForm, type Form } from '../write/text-form.ts';
import { ChangeInput } from './change-input.ts';
import type { WrittenFile } from './written-file.ts';

export class AppendFileInput extends ChangeInput {
  @Text() content!: string;
  @Flag('Put it on lines of its own', { optional: true }) ensureNewline?: boolean;
}

/**
 * Adds to the end of a file, in its encoding and with its line ends; makes it where nothing is. Another name of the file, which may
 * lie elsewhere, keeps the old content.
 *
 * @throws ToolError CONFLICT, ENCODING, TOO_LARGE, TIMEOUT, IS_DIRECTORY, NOT_REGULAR_FILE, NO_SPACE, and those of `Roots.placeToWrite`
 */
export async function appendFile(files: Files, input: AppendFileInput, { signal }: RequestContext): Promise<WrittenFile> {
  return withFile(files, input, signal, async (target) => {
    const form = await readForm(target);
    await using file = await openTarget(target);
    const added = await addition(input, form, file);
    const content = withAddition(file, added, signal);
    return await changeFile(files, target, { tool: 'append_file', content, permanent: input.permanent }, signal);
  });
}

async function* withAddition(file: OpenFile | undefined, added: Buffer, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  if (file !== undefined) yield* partsOf(file, signal);
  yield added;
}

async function addition({ content, ensureNewline }: AppendFileInput, form: Form, file: OpenFile | undefined): Promise<Buffer> {
  const end = form.eol === 'crlf' || form.eol === 'cr' ? ENDS[form.eol] : ENDS.lf;
  const text = eolOf(content) === 'lf' ? content.replaceAll('\n', end) : content;
  if (ensureNewline !== true) return encode(text, form.encoding, false);
  const newline = await encode(end, form.encoding, false);
  const begins = file === undefined || file.size === 0 || (await endsWith(file, newline));
  const own = await encode(text.endsWith(end) ? text : text + end, form.encoding, false);
  return begins ? own : Buffer.concat([newline, own]);
}

async function endsWith(file: OpenFile, bytes: Buffer): Promise<boolean> {
  return file.size >= bytes.length && bytes.equals(await file.readAt(file.size - bytes.length, bytes.length));
}
