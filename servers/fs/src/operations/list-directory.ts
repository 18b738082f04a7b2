import { lstat, opendir } from 'node:fs/promises';
import path from 'node:path';

import { Field, type RequestContext } from '@org/mcp-decorators';
import { refused, type VerifiedPath } from '@org/mcp-roots';
import { IsBoolean, IsInt, IsString, ValidateNested } from 'class-validator';

import { NameBudget } from '../budget.ts';
import { entryTypeOf } from '../entry-type.ts';
import type { Files } from '../files.ts';
import { isoTime } from '../text/iso.ts';
import { Entry } from './entry.ts';
import type { PathInput } from './path-input.ts';

/** What a directory holds, by name. */
export class DirectoryListing {
  @IsString()
  path!: string;

  @Field('By name', { type: () => Entry })
  @ValidateNested({ each: true })
  entries!: Entry[];

  @Field('Entries in the directory; more than are listed if truncated')
  @IsInt()
  total!: number;

  @IsBoolean()
  truncated!: boolean;
}

/**
 * Lists a directory, at most `maxEntries` of it.
 *
 * @throws ToolError those of `Files.directory`
 */
export async function listDirectory(files: Files, input: PathInput, { signal }: RequestContext): Promise<DirectoryListing> {
  const directory = await files.directory(input.path);
  const names = await namesIn(directory, input.path, signal);
  const budget = new NameBudget();
  const first = names.slice(0, files.limits.maxEntries);
  const shown = first.slice(0, first.findIndex((name) => !budget.take(name)) >>> 0);
  const entries: Entry[] = [];
  for (const name of shown) {
    signal.throwIfAborted();
    const entry = await describe(path.join(directory.real, name), name);
    if (entry !== undefined) entries.push(entry);
  }
  return { path: directory.shown, entries, total: names.length, truncated: names.length > shown.length };
}

async function namesIn(directory: VerifiedPath, given: string, signal: AbortSignal): Promise<readonly string[]> {
  const names: string[] = [];
  try {
    for await (const { name } of await opendir(directory.real)) {
      signal.throwIfAborted();
      names.push(name);
    }
  } catch (error) {
    throw signal.aborted ? error : refused(given, error);
  }
  return names.sort();
}

/** An entry that vanished since it was listed is left out. */
async function describe(real: string, name: string): Promise<Entry | undefined> {
  const facts = await lstat(real).catch(() => undefined);
  if (facts === undefined) return undefined;
  const type = entryTypeOf(facts);
  return { name, type, ...(type === 'file' && { size: facts.size }), modified: isoTime(facts.mtimeMs) };
}
