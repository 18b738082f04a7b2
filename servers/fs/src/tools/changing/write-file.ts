import path from 'node:path';

import { Flag, OneOf, Text, ToolError, type RequestContext } from '@org/mcp-decorators';
import { quotePath } from '@org/mcp-roots';

import { changeFile } from '../../change/change-file.ts';
import { createParents, removeIfFailed } from '../../change/missing-directories.ts';
import { readTextForm, type TextForm } from '../../change/text-form.ts';
import { withFile } from '../../change/with-targets.ts';
import { LINE_ENDS, normalizeLineEnds } from '../../edits/normalized-text.ts';
import type { Target } from '../../storage/target.ts';
import { detectEol, encode, ENCODINGS, type Encoding } from '../../text/encoding.ts';
import type { Files } from '../files.ts';
import { ChangeInput } from './change-input.ts';
import type { WrittenFile } from './written-file.ts';

const MODES = ['create', 'overwrite', 'upsert'] as const;
/** Text encodings, and the encoding of binary content. */
const WRITE_ENCODINGS = [...ENCODINGS, 'base64'] as const;
const EOLS = ['keep', 'lf', 'crlf', 'as-is'] as const;

export class WriteFileInput extends ChangeInput {
  @Text() content!: string;

  @OneOf(MODES, 'create: new file only; overwrite: existing file only; upsert (default): both', { optional: true })
  mode?: (typeof MODES)[number];

  @Flag('Create missing directories', { optional: true }) createParents?: boolean;
  @OneOf(WRITE_ENCODINGS, 'Default: as the file; utf-8 if new; base64: bytes', { optional: true }) encoding?: Encoding | 'base64';
  @OneOf(EOLS, 'keep (default): CRLF if the file has only CRLF, else as-is', { optional: true }) eol?: (typeof EOLS)[number];
}

/**
 * Creates a file or replaces its content atomically.
 *
 * @throws ToolError INVALID_ARGUMENTS, ALREADY_EXISTS, NOT_FOUND, CONFLICT, ENCODING, TOO_LARGE, TIMEOUT, IS_DIRECTORY,
 * NOT_REGULAR_FILE, NO_SPACE, and the codes of `Roots.findEntryToWrite`
 */
export async function writeFile(files: Files, input: WriteFileInput, { signal }: RequestContext): Promise<WrittenFile> {
  const bytes = input.encoding === 'base64' ? decodeBase64(input, files.limits) : undefined;
  const made = input.createParents === true ? await createParents(files, path.dirname(input.path)) : undefined;
  const write = async (target: Target): Promise<WrittenFile> => {
    requireMode(target, input);
    const content = bytes ?? (await encodeText(input, await readTextForm(target)));
    return changeFile(files, target, { tool: 'write_file', content, permanent: input.permanent, made }, signal);
  };
  try {
    return await removeIfFailed(files, made, () => withFile(files, input, signal, write));
  } catch (error) {
    const isParentMissing = ToolError.is(error) && error.code === 'NOT_FOUND' && input.mode !== 'overwrite';
    throw isParentMissing ? withParentsHint(error) : error;
  }
}

function withParentsHint({ code, message, hint }: ToolError): ToolError {
  const creates = 'createParents creates missing directories';
  return new ToolError(code, message, { hint: hint === undefined ? creates : `${hint} ${creates}` });
}

function requireMode({ facts }: Target, { mode, path: given }: WriteFileInput): void {
  if (mode === 'create' && facts !== undefined) {
    throw new ToolError('ALREADY_EXISTS', `${quotePath(given)} already exists`, { hint: 'mode overwrite replaces the file' });
  }
  if (mode === 'overwrite' && facts === undefined) {
    throw new ToolError('NOT_FOUND', `${quotePath(given)} does not exist`, { hint: 'mode create creates the file' });
  }
}

/** @throws ToolError INVALID_ARGUMENTS for invalid base64, and for a value of `eol`; TOO_LARGE for more than `maxBinaryBytes` */
function decodeBase64({ content, eol }: WriteFileInput, { maxBinaryBytes }: Files['limits']): Buffer {
  if (eol !== undefined) throw new ToolError('INVALID_ARGUMENTS', 'eol cannot be combined with the encoding base64');
  const bytes = Buffer.from(content, 'base64');
  // Node.js ignores characters that are not base64, and would write other bytes than the model intended.
  if (bytes.toString('base64') !== content)
    throw new ToolError('INVALID_ARGUMENTS', 'content is not valid base64', {
      hint: 'use the characters A-Z a-z 0-9 + / with the padding =, and neither line breaks nor a data: prefix',
    });
  if (bytes.length <= maxBinaryBytes) return bytes;
  throw new ToolError('TOO_LARGE', `the content has ${bytes.length} bytes; the limit of base64 is ${maxBinaryBytes} bytes`, {
    hint: 'the operator can raise the limit with --max-binary-bytes',
  });
}

async function encodeText(input: WriteFileInput, form: TextForm): Promise<Buffer> {
  const encoding = input.encoding === undefined || input.encoding === 'base64' ? form.encoding : input.encoding;
  return encode(withLineEnds(input, form), encoding, needsBom(input, form));
}

function needsBom({ encoding, content }: WriteFileInput, form: TextForm): boolean {
  if (content.startsWith('\uFEFF')) return false;
  return encoding === undefined || encoding === form.encoding ? form.hasBom : encoding.startsWith('utf-16');
}

function withLineEnds({ content, eol = 'keep' }: WriteFileInput, form: TextForm): string {
  if (eol === 'lf' || eol === 'crlf') return normalizeLineEnds(content).replaceAll('\n', LINE_ENDS[eol]);
  const isConverted = eol === 'keep' && form.eol === 'crlf' && detectEol(content) === 'lf';
  return isConverted ? content.replaceAll('\n', LINE_ENDS.crlf) : content;
}
