import path from 'node:path';

import { Flag, OneOf, Text, ToolError, type RequestContext } from '@org/mcp-decorators';
import { spelled } from '@org/mcp-roots';

import type { Files } from '../files.ts';
import { ENCODINGS, encode, eolOf, type Encoding } from '../text/encoding.ts';
import { changeFile, withFile } from '../write/change-file.ts';
import { ENDS, withEvenEnds } from '../write/edits/line-ends.ts';
import { makeParents, orUnmade } from '../write/make-parents.ts';
import { readForm, type Form } from '../write/text-form.ts';
import type { Target } from '../write/write-atomically.ts';
import { ChangeInput } from './change-input.ts';
import type { WrittenFile } from './written-file.ts';

const MODES = ['create', 'overwrite', 'upsert'] as const;
const EOLS = ['keep', 'lf', 'crlf', 'as-is'] as const;

export class WriteFileInput extends ChangeInput {
  @Text() content!: string;

  @OneOf(MODES, 'create: only a new file; overwrite: only an existing file; upsert (default): both', { optional: true })
  mode?: (typeof MODES)[number];

  @Flag('Make missing directories', { optional: true }) createParents?: boolean;
  @OneOf(ENCODINGS, 'Default: of the file; utf-8 if new', { optional: true }) encoding?: Encoding;
  @OneOf(EOLS, 'Line ends; keep (default): CRLF if the file has only CRLF', { optional: true }) eol?: (typeof EOLS)[number];
}

/**
 * Creates a file or replaces its content, atomically.
 *
 * @throws ToolError ALREADY_EXISTS, NOT_FOUND, CONFLICT, ENCODING, TOO_LARGE, TIMEOUT, IS_DIRECTORY, NOT_REGULAR_FILE, NO_SPACE, and those
 * of `Roots.placeToWrite`
 */
export async function writeFile(files: Files, input: WriteFileInput, { signal }: RequestContext): Promise<WrittenFile> {
  const made = input.createParents === true ? await makeParents(files, path.dirname(input.path)) : undefined;
  const write = async (target: Target): Promise<WrittenFile> => {
    requireMode(target, input);
    const form = await readForm(target);
    const content = await encode(withLineEnds(input, form), input.encoding ?? form.encoding, keepsBom(input, form));
    return changeFile(files, target, { tool: 'write_file', content, permanent: input.permanent, made }, signal);
  };
  try {
    return await orUnmade(files, made, () => withFile(files, input, signal, write));
  } catch (error) {
    const isParentMissing = ToolError.is(error) && error.code === 'NOT_FOUND' && input.mode !== 'overwrite';
    throw isParentMissing ? withParentsHint(error) : error;
  }
}

function withParentsHint({ code, message, hint }: ToolError): ToolError {
  const makes = 'createParents makes missing directories';
  return new ToolError(code, message, { hint: hint === undefined ? makes : `${hint} ${makes}` });
}

function requireMode({ facts }: Target, { mode, path: given }: WriteFileInput): void {
  if (mode === 'create' && facts !== undefined) {
    throw new ToolError('ALREADY_EXISTS', `${spelled(given)} exists already`, { hint: 'mode overwrite replaces it' });
  }
  if (mode === 'overwrite' && facts === undefined) {
    throw new ToolError('NOT_FOUND', `${spelled(given)} does not exist`, { hint: 'mode create makes it' });
  }
}

function keepsBom({ encoding, content }: WriteFileInput, form: Form): boolean {
  if (content.startsWith('\uFEFF')) return false;
  return encoding === undefined || encoding === form.encoding ? form.hasBom : encoding.startsWith('utf-16');
}

function withLineEnds({ content, eol = 'keep' }: WriteFileInput, form: Form): string {
  if (eol === 'lf' || eol === 'crlf') return withEvenEnds(content).replaceAll('\n', ENDS[eol]);
  return eol === 'keep' && form.eol === 'crlf' && eolOf(content) === 'lf' ? content.replaceAll('\n', ENDS.crlf) : content;
}
