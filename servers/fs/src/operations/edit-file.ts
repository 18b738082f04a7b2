import { Field, ToolError, type RequestContext } from '@org/mcp-decorators';
import { spelled, type OpenFile } from '@org/mcp-roots';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsBoolean,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Min,
  MinLength,
  ValidateNested,
} from 'class-validator';

import { etagOf } from '../etag.ts';
import type { Files } from '../files.ts';
import { decode, detectEncoding, encode } from '../text/encoding.ts';
import { changeFile, openTarget, withFile } from '../write/change-file.ts';
import { applyEdits, type Match } from '../write/edits/apply-edits.ts';
import { textDiff, type TextDiff } from '../write/edits/text-diff.ts';
import { conflict } from '../write/unchanged.ts';
import type { Target } from '../write/write-atomically.ts';
import { ChangeInput } from './change-input.ts';

const MATCHES = ['exact', 'whitespace'] as const;
const MAX_EDITS = 200;

/** One replacement in a file. */
export class FileEdit {
  @Field('Must be there once, unless told otherwise')
  @IsString()
  @MinLength(1)
  oldText!: string;

  @IsString()
  newText!: string;

  @Field('Replace each')
  @IsOptional()
  @IsBoolean()
  replaceAll?: boolean;

  @Field('Replace each, if there are so many')
  @IsOptional()
  @IsInt()
  @Min(1)
  expectedCount?: number;

  @Field('Only from this line on, counted before the edits')
  @IsOptional()
  @IsInt()
  @Min(1)
  startLine?: number;

  @Field('Only up to this line')
  @IsOptional()
  @IsInt()
  @Min(1)
  endLine?: number;
}

export class EditFileInput extends ChangeInput {
  @Field('In order, all or none', { type: () => FileEdit })
  @ValidateNested({ each: true })
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_EDITS)
  edits!: FileEdit[];

  @Field('Only show the diff')
  @IsOptional()
  @IsBoolean()
  dryRun?: boolean;

  @Field('whitespace (default): lines not found exactly match whatever their indentation')
  @IsOptional()
  @IsIn([...MATCHES])
  match?: Match;
}

/** A file that was edited, or would be. */
export class EditedFile {
  @IsString()
  path!: string;

  @IsString()
  etag!: string;

  @IsInt()
  hunks!: number;

  @IsInt()
  replacements!: number;

  @IsOptional()
  @IsString()
  undoId?: string;
}

/** What an edit came to, with the difference it makes. */
export interface EditOutcome {
  readonly edited: EditedFile;
  readonly diff: TextDiff;
  readonly isDryRun: boolean;
}

/**
 * Replaces texts in a file, all or none; every other byte stays as it is.
 *
 * @throws ToolError NO_MATCH, AMBIGUOUS_MATCH, CONFLICT, BINARY_FILE, ENCODING, TOO_LARGE, TIMEOUT, NOT_FOUND, IS_DIRECTORY,
 * NOT_REGULAR_FILE, NO_SPACE, and those of `Roots.placeToWrite`
 */
export async function editFile(files: Files, input: EditFileInput, { signal }: RequestContext): Promise<EditOutcome> {
  return withFile(files, input, signal, async (target) => {
    const { bytes: before, etag } = await readWhole(files, target, input.path);
    const encoding = detectEncoding(before);
    if (encoding === undefined) throw new ToolError('BINARY_FILE', `${spelled(input.path)} is not a text file`);
    const { text, hasBom } = await decode(before, encoding);
    if (!before.equals(await encode(text, encoding, hasBom))) throw notKept(input.path, encoding);
    const { text: after, replacements } = await applyEdits(text, input.edits, input.match ?? 'whitespace', signal);
    const content = await encode(after, encoding, hasBom);
    const diff = await textDiff(text, after);
    const isDryRun = input.dryRun === true;
    const outcome = isDryRun
      ? { path: target.shown, etag }
      : await changeFile(files, target, { tool: 'edit_file', content, permanent: input.permanent }, signal);
    return { edited: { ...outcome, hunks: diff.hunks, replacements }, diff, isDryRun };
  });
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
    throw new ToolError('TOO_LARGE', `the file has ${file.size} bytes; edit_file changes at most ${maxEditBytes}`, {
      hint: 'the operator raises the limit by --max-edit-bytes',
    });
  }
  return { bytes: await file.readAt(0, file.size), etag: etagOf(file.facts) };
}

/** Some old encodings have two ways to write a character, and only one is written back. */
function notKept(given: string, encoding: string): ToolError {
  return new ToolError('ENCODING', `${spelled(given)} looks like ${encoding}, but what is not edited would not stay as it is`);
}
