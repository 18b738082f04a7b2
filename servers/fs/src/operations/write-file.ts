import type { BigIntStats } from 'node:fs';

import { Field, ToolError } from '@org/mcp-decorators';
import { spelled, type Place } from '@org/mcp-roots';
import { IsBoolean, IsInt, IsString } from 'class-validator';

import type { Files } from '../files.ts';
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
 * @throws ToolError IS_DIRECTORY, NOT_REGULAR_FILE, NO_SPACE, and those of `Roots.placeToWrite`
 */
export async function writeFile(files: Files, input: WriteFileInput): Promise<WrittenFile> {
  await using place = await files.roots.placeToWrite(input.path);
  if (place.facts !== undefined) await requireReplaceable(place, place.facts, input.path);
  const content = Buffer.from(input.content, 'utf8');
  await writeAtomically(place, content);
  return { path: place.shown, bytes: content.length, created: place.facts === undefined };
}

async function requireReplaceable({ directory, name }: Place, facts: BigIntStats, given: string): Promise<void> {
  if (facts.isDirectory()) throw new ToolError('IS_DIRECTORY', `${spelled(given)} is a directory`);
  if (!facts.isFile()) throw new ToolError('NOT_REGULAR_FILE', `${spelled(given)} is neither a file nor a directory`);
  // Replacing needs only the directory's permission; a file that may not be written is not to be replaced either.
  await directory.requireWriteAccess(name);
}
