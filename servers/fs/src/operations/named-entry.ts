import type { BigIntStats } from 'node:fs';
import path from 'node:path';

import { ToolError } from '@org/mcp-decorators';
import type { Roots } from '@org/mcp-roots';

/** What a name in a directory is. */
export interface NamedEntry {
  /** The path that clients see. */
  readonly shown: string;
  readonly facts: BigIntStats;
  /** Of a symbolic link, what it says; nothing is known of what is there. */
  readonly target: string | undefined;
}

const NO_NAMES: readonly string[] = ['', '.', '..'];

/** What the last name of a path is itself, links not followed; `undefined` where nothing is that may be looked at, as above a root. */
export async function namedEntry(roots: Roots, given: string): Promise<NamedEntry | undefined> {
  const name = path.basename(given);
  if (NO_NAMES.includes(name)) return undefined;
  try {
    await using directory = await roots.openDirectory(path.dirname(given));
    const facts = await directory.facts(name);
    if (facts === undefined) return undefined;
    const target = facts.isSymbolicLink() ? await directory.readLink(name) : undefined;
    return { shown: path.join(directory.shown, name), facts, target };
  } catch (error) {
    if (ToolError.is(error)) return undefined;
    throw error;
  }
}
