import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';

import { Field, ToolError } from '@org/mcp-decorators';
import { refused, spelled } from '@org/mcp-roots';
import { IsBoolean, IsInt, IsString } from 'class-validator';

import { notRegular, type Files } from '../files.ts';
import { writeAtomically } from '../write/write-atomically.ts';
import { PathInput } from './path-input.ts';

export class WriteFileInput extends PathInput {
  @Field('The whole new content')
  @IsString()
  content!: string;
}

export class WrittenFile {
  @IsString()
  path!: string;

  @Field('Bytes written')
  @IsInt()
  bytes!: number;

  @Field('The file did not exist before')
  @IsBoolean()
  created!: boolean;
}

/**
 * Creates a file or replaces its content, atomically; the directory must exist.
 *
 * @throws ToolError IS_DIRECTORY, NOT_REGULAR_FILE, NO_SPACE, and those of `Roots.creatable`
 */
export async function writeFile(files: Files, input: WriteFileInput): Promise<WrittenFile> {
  const target = await files.roots.creatable(input.path);
  if (target.exists) await requireRegularFile(target.real, input.path);
  const content = Buffer.from(input.content, 'utf8');
  await writeAtomically(target, content).catch((error: unknown) => Promise.reject(failure(input.path, error)));
  return { path: target.shown, bytes: content.length, created: !target.exists };
}

async function requireRegularFile(real: string, given: string): Promise<void> {
  const facts = await stat(real).catch((error: unknown) => Promise.reject(refused(given, error)));
  if (facts.isDirectory()) throw new ToolError('IS_DIRECTORY', `${spelled(given)} is a directory`);
  if (!facts.isFile()) throw notRegular(given);
  // Replacing needs only the directory's permission; a file that may not be written is not to be replaced either.
  await access(real, constants.W_OK).catch((error: unknown) => Promise.reject(refused(given, error)));
}

function failure(given: string, error: unknown): ToolError {
  const full = error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');
  return full
    ? new ToolError('NO_SPACE', `there is no space left to write ${spelled(given)}; it is unchanged`, { cause: error })
    : refused(given, error);
}
