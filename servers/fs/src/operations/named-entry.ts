import type { BigIntStats } from 'node:fs';
import path from 'node:path';

import { ToolError } from '@org/mcp-decorators';
import type { Roots } from '@org/mcp-roots';

/** What a name in a directory is. */
export interface NamedEntry {
  /** The path that clients see. */
  readonly shown: string;
  readonly facts: BigIntStats;
  readonly isLink: boolean;
  /** Text of a symbolic link whose target the call may access; `undefined` for any other entry. */
  readonly target: string | undefined;
}

const NO_NAMES: readonly string[] = ['', '.', '..'];

/** What the last name of a path is itself, links not followed; `undefined` where nothing is that may be looked at, as above a root. */
export async function namedEntry(roots: Roots, given: string): Promise<NamedEntry | undefined> {
  if (NO_NAMES.includes(path.basename(given))) return undefined;
  try {
    await using entry = await roots.entry(given);
    const { shown, facts, directory } = entry;
    if (facts === undefined) return undefined;
    const isLink = facts.isSymbolicLink();
    return { shown, facts, isLink, target: isLink ? await directory.linkTarget(entry.name) : undefined };
  } catch (error) {
    if (ToolError.is(error)) return undefined;
    throw error;
  }
}
