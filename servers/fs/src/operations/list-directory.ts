import { Field, type RequestContext } from '@org/mcp-decorators';
import type { OpenDirectory } from '@org/mcp-roots';
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
 * @throws ToolError those of `Roots.openDirectory`
 */
export async function listDirectory(files: Files, input: PathInput, { signal }: RequestContext): Promise<DirectoryListing> {
  await using directory = await files.roots.openDirectory(input.path);
  const names = await namesIn(directory, signal);
  const budget = new NameBudget();
  const first = names.slice(0, files.limits.maxEntries);
  const shown = first.slice(0, first.findIndex((name) => !budget.take(name)) >>> 0);
  const entries: Entry[] = [];
  for (const name of shown) {
    signal.throwIfAborted();
    const entry = await describe(directory, name);
    if (entry !== undefined) entries.push(entry);
  }
  return { path: directory.shown, entries, total: names.length, truncated: names.length > shown.length };
}

async function namesIn(directory: OpenDirectory, signal: AbortSignal): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const { name } of directory.entries()) {
    signal.throwIfAborted();
    if (!directory.isDenied(name)) names.push(name);
  }
  return names.sort();
}

/** An entry that vanished since it was listed is left out. */
async function describe(directory: OpenDirectory, name: string): Promise<Entry | undefined> {
  const facts = await directory.facts(name);
  if (facts === undefined) return undefined;
  const type = entryTypeOf(facts);
  return { name, type, ...(type === 'file' && { size: Number(facts.size) }), modified: isoTime(Number(facts.mtimeMs)) };
}
