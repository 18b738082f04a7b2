import { ToolError } from '@org/mcp-decorators';
import { quotePath, type OpenFile, type Roots } from '@org/mcp-roots';

import { computeEtag } from '../storage/etag.ts';
import { conflict, type Target } from '../storage/target.ts';
import { detectEncoding } from '../text/read-text.ts';
import { decode, encode } from '../text/encoding.ts';
import { openTarget } from './with-targets.ts';

interface EditableFiles {
  readonly roots: Roots;
  readonly limits: { readonly maxEditBytes: number };
}

/** The text of an editable file. */
export interface EditableText {
  readonly text: string;
  readonly etag: string;
  /** Encodes a changed text in the encoding of the file. */
  readonly encode: (text: string) => Promise<Buffer>;
}

/**
 * Reads a text file that will be changed. Returns `undefined` for a binary file.
 *
 * @throws ToolError TOO_LARGE above `maxEditBytes`; NOT_FOUND for a missing file; CONFLICT if the file changed since the check;
 * ENCODING if encoding the text again would change other bytes
 */
export async function readEditable(files: EditableFiles, target: Target, given: string): Promise<EditableText | undefined> {
  const { bytes, etag } = await readWhole(files, target, given);
  const encoding = detectEncoding(bytes);
  if (encoding === undefined) return undefined;
  const { text, hasBom } = await decode(bytes, encoding);
  if (!bytes.equals(await encode(text, encoding, hasBom))) throw notReversible(given, encoding);
  return { text, etag, encode: (changed) => encode(changed, encoding, hasBom) };
}

async function readWhole(
  files: EditableFiles,
  target: Target,
  given: string,
): Promise<{ readonly bytes: Buffer; readonly etag: string }> {
  await using file: OpenFile | undefined = await openTarget(target);
  if (file === undefined) {
    await files.roots.resolveExisting(given);
    throw conflict(target.shown, undefined, undefined);
  }
  const { maxEditBytes } = files.limits;
  if (file.size > maxEditBytes) {
    throw new ToolError('TOO_LARGE', `the file has ${file.size} bytes; at most ${maxEditBytes} can be edited`, {
      hint: 'the operator can raise the limit with --max-edit-bytes',
    });
  }
  return { bytes: await file.readAt(0, file.size), etag: computeEtag(file.facts) };
}

/**
 * Creates the error for a text in an old encoding that has several byte sequences for one character. Encoding the text again
 * would write only one of these sequences.
 */
function notReversible(given: string, encoding: string): ToolError {
  return new ToolError(
    'ENCODING',
    `${quotePath(given)} appears to be ${encoding}, but encoding the text again would change bytes outside the edit`,
  );
}
