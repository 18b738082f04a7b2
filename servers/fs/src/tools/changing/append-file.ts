import { Flag, Text, type RequestContext } from '@org/mcp-decorators';
import type { OpenFile } from '@org/mcp-roots';

import { appendToLarge } from '../../change/append-to-large.ts';
import { changeFile } from '../../change/change-file.ts';
import { readTextForm, type TextForm } from '../../change/text-form.ts';
import { openTarget, withFile } from '../../change/with-targets.ts';
import { LINE_ENDS } from '../../edits/normalized-text.ts';
import { readParts } from '../../journal/contents.ts';
import { detectEol, encode } from '../../text/encoding.ts';
import type { Files } from '../files.ts';
import { ChangeInput } from './change-input.ts';
import type { WrittenFile } from './written-file.ts';

export class AppendFileInput extends ChangeInput {
  @Text() content!: string;
  @Flag('Put content on lines of its own', { optional: true }) ensureNewline?: boolean;
}

const TOOL = 'append_file';
/** Maximum size in bytes of a file that is replaced as a whole, so that a killed process leaves the old or the new content. */
const MAX_COPIED = 262_144;

/**
 * Appends text to a file, in its encoding and with its line endings, or creates the file. Other hard links of the file keep the
 * old content. A file of more than 256 KiB is changed in place, unless it has other hard links or setuid or setgid bits.
 *
 * @throws ToolError CONFLICT, ENCODING, TOO_LARGE, TIMEOUT, IS_DIRECTORY, NOT_REGULAR_FILE, NO_SPACE, and the codes of
 * `Roots.findEntryToWrite`
 */
export async function appendFile(files: Files, input: AppendFileInput, { signal }: RequestContext): Promise<WrittenFile> {
  return withFile(files, input, signal, async (target) => {
    const form = await readTextForm(target);
    await using file = await openTarget(target);
    const added = await encodeAddition(input, form, file);
    const { facts } = target;
    if (facts !== undefined && file !== undefined && file.size > MAX_COPIED)
      return await appendToLarge(files, { ...target, facts }, { tool: TOOL, file, added, permanent: input.permanent }, signal);
    const content = concatenate(file, added, signal);
    return await changeFile(files, target, { tool: TOOL, content, permanent: input.permanent }, signal);
  });
}

async function* concatenate(file: OpenFile | undefined, added: Buffer, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  if (file !== undefined) yield* readParts(file, signal);
  yield added;
}

async function encodeAddition(
  { content, ensureNewline }: AppendFileInput,
  form: TextForm,
  file: OpenFile | undefined,
): Promise<Buffer> {
  const end = form.eol === 'crlf' || form.eol === 'cr' ? LINE_ENDS[form.eol] : LINE_ENDS.lf;
  const text = detectEol(content) === 'lf' ? content.replaceAll('\n', end) : content;
  if (ensureNewline !== true) return encode(text, form.encoding, false);
  const newline = await encode(end, form.encoding, false);
  const isAtLineStart = file === undefined || file.size === 0 || (await endsWith(file, newline));
  const lines = await encode(text.endsWith(end) ? text : text + end, form.encoding, false);
  return isAtLineStart ? lines : Buffer.concat([newline, lines]);
}

async function endsWith(file: OpenFile, bytes: Buffer): Promise<boolean> {
  return file.size >= bytes.length && bytes.equals(await file.readAt(file.size - bytes.length, bytes.length));
}
