import { ToolError } from '@org/mcp-decorators';

import { readFileBelow } from '../guard/state-file.ts';
import { decodeNames, decodeOutput, splitTextFields } from '../parse/fields.ts';
import type { Repository } from '../repository.ts';

/** A submodule in the index, with its entry in `.gitmodules`. */
export interface RecordedSubmodule {
  readonly path: string;
  readonly oid: string;
  /** Absent if `.gitmodules` has no entry for the path. */
  readonly name?: string;
  /** The URL as written, which may contain a password. */
  readonly url?: string;
}

/** Maximum size of `.gitmodules`, in bytes. */
const MAX_GITMODULES = 1_048_576;

/**
 * Lists the submodules in the index, in the order of their paths.
 *
 * @throws ToolError TOO_LARGE for a file `.gitmodules` of 1 MiB or more
 */
export async function readRecordedSubmodules(repository: Repository): Promise<readonly RecordedSubmodule[]> {
  const { text, name: decode } = decodeOutput((await repository.read(['ls-files', '-z', '--stage'])).stdout);
  const found = new Map<string, string>();
  for (const line of splitTextFields(text)) {
    const [, oid, file] = /^160000 ([0-9a-f]+) \d\t(.*)$/s.exec(line) ?? [];
    // A submodule in conflict has one commit for each stage. Git lists the lowest stage first, and the commit of that stage is
    // used.
    if (oid !== undefined && file !== undefined && !found.has(file)) found.set(file, oid);
  }
  if (found.size === 0) return [];
  const entries = await readEntries(repository);
  return [...found].map(([file, oid]) => ({ path: decode(file), oid, ...entries.get(decode(file)) }));
}

interface Entry {
  readonly name: string;
  readonly url?: string;
}

/** Reads the entries of `.gitmodules` by path. A link in place of the file is not followed. */
async function readEntries(repository: Repository): Promise<ReadonlyMap<string, Entry>> {
  const input = await readFileBelow(repository.layout.top, '.gitmodules', MAX_GITMODULES);
  if (input === undefined) return new Map();
  if (input.length === MAX_GITMODULES)
    throw new ToolError('TOO_LARGE', `.gitmodules has ${MAX_GITMODULES} bytes or more`, { hint: 'remove unused entries' });
  const { stdout } = await repository.read(['config', '--file=-', '--no-includes', '--list', '-z'], { input });
  const values = new Map<string, Map<string, string>>();
  for (const pair of decodeNames(stdout)) {
    const [, name, variable, value] = /^submodule\.(.+)\.(path|url)\n(.*)$/s.exec(pair) ?? [];
    if (name === undefined || variable === undefined || value === undefined) continue;
    values.set(name, (values.get(name) ?? new Map<string, string>()).set(variable, value));
  }
  return new Map(
    [...values].flatMap(([name, settings]) => {
      const [place, url] = [settings.get('path'), settings.get('url')];
      return place === undefined ? [] : [[place, { name, ...(url !== undefined && { url }) }] as const];
    }),
  );
}
