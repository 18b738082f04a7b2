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
const EOLS = ['keep', 'lf', 'crlf', 'as-is'] as const;

export class WriteFileInput extends ChangeInput {
  @Text() content!: string;

  @OneOf(MODES, 'create: new file only; overwrite: existing file only; upsert (default): both', { optional: true })
  mode?: (typeof MODES)[number];

  @Flag('Create missing directories', { optional: true }) createParents?: boolean;
  @OneOf(ENCODINGS, 'Default: as the file; utf-8 if new', { optional: true }) encoding?: Encoding;
  @OneOf(EOLS, 'keep (default): CRLF if the file has only CRLF, else as-is', { optional: true }) eol?: (typeof EOLS)[number];
}

/**
 * Creates a file or replaces its content atomically.
 *
 * @throws ToolError ALREADY_EXISTS, NOT_FOUND, CONFLICT, ENCODING, TOO_LARGE, TIMEOUT, IS_DIRECTORY, NOT_REGULAR_FILE, NO_SPACE, and those
 * of `Roots.findEntryToWrite`
 */
export async function writeFile(files: Files, input: WriteFileInput, { signal }: RequestContext): Promise<WrittenFile> {
  const made = input.createParents === true ? await createParents(files, path.dirname(input.path)) : undefined;
  const write = async (target: Target): Promise<WrittenFile> => {
    requireMode(target, input);
    const form = await readTextForm(target);
    const content = await encode(withLineEnds(input, form), input.encoding ?? form.encoding, needsBom(input, form));
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

function needsBom({ encoding, content }: WriteFileInput, form: TextForm): boolean {
  if (content.startsWith('\uFEFF')) return false;
  return encoding === undefined || encoding === form.encoding ? form.hasBom : encoding.startsWith('utf-16');
}

function withLineEnds({ content, eol = 'keep' }: WriteFileInput, form: TextForm): string {
  if (eol === 'lf' || eol === 'crlf') return normalizeLineEnds(content).replaceAll('\n', LINE_ENDS[eol]);
  const isConverted = eol === 'keep' && form.eol === 'crlf' && detectEol(content) === 'lf';
  return isConverted ? content.replaceAll('\n', LINE_ENDS.crlf) : content;
}
