import { ToolError } from '@org/mcp-decorators';
import { spelled, type OpenFile } from '@org/mcp-roots';

import { etagOf } from '../../etag.ts';
import type { Files } from '../../files.ts';
import { decode, detectEncoding, encode } from '../../text/encoding.ts';
import { openTarget } from '../change-file.ts';
import { conflict } from '../unchanged.ts';
import type { Target } from '../write-atomically.ts';

/** The text of a file. */
export interface EditableText {
  readonly text: string;
  readonly etag: string;
  /** The bytes of a changed text in the form of this one. */
  readonly encode: (text: string) => Promise<Buffer>;
}

/**
 * The text of a file that is to be changed; `undefined` for a file that is not text.
 *
 * @throws ToolError TOO_LARGE, ENCODING where not all of it would stay as it is, NOT_FOUND, CONFLICT
 */
export async function readEditable(files: Files, target: Target, given: string): Promise<EditableText | undefined> {
  const { bytes, etag } = await readWhole(files, target, given);
  const encoding = detectEncoding(bytes);
  if (encoding === undefined) return undefined;
  const { text, hasBom } = await decode(bytes, encoding);
  if (!bytes.equals(await encode(text, encoding, hasBom))) throw notKept(given, encoding);
  return { text, etag, encode: (changed) => encode(changed, encoding, hasBom) };
}

async function readWhole(
  files: Files,
  target: Target,
  given: string,
): Promise<{ readonly bytes: Buffer; readonly etag: string }> {
  await using file: OpenFile | undefined = await openTarget(target);
  if (file === undefined) {
    await files.roots.existing(given);
    throw conflict(target.shown, undefined, undefined);
  }
  const { maxEditBytes } = files.limits;
  if (file.size > maxEditBytes) {
    throw new ToolError('TOO_LARGE', `the file has ${file.size} bytes; what is edited has at most ${maxEditBytes}`, {
      hint: 'the operator raises the limit by --max-edit-bytes',
    });
  }
  return { bytes: await file.readAt(0, file.size), etag: etagOf(file.facts) };
}

/** Some old encodings have two ways to write a character, and only one is written back. */
function notKept(given: string, encoding: string): ToolError {
  return new ToolError('ENCODING', `${spelled(given)} looks like ${encoding}, but what is not edited would not stay as it is`);
}
