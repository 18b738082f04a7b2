import type { BigIntStats } from 'node:fs';

import { readParts } from '../journal/contents.ts';
import { computeEtag } from '../storage/etag.ts';
import { conflict, isUnchanged, type Target } from '../storage/target.ts';
import { writeAtomically, type WriteSettings } from '../storage/write-atomically.ts';

/** Setuid and setgid bits, which a changed copy of a file does not get. */
const PRIVILEGES = 0o6000n;

/** The new end of a file. */
export interface NewTail {
  /** Number of bytes at the beginning of the file that stay as they are. */
  readonly keep: number;
  readonly content: AsyncIterable<Uint8Array>;
}

/**
 * Replaces the end of a large file in place, because a copy would write the whole file again. If an addition fails, the file is
 * truncated to its previous size. If the process is killed during an addition, the file may end with a part of the addition.
 *
 * A file with other hard links or with setuid or setgid bits is replaced by a changed copy.
 *
 * @throws ToolError CONFLICT if the file changed since the check; NO_SPACE, IO
 */
export async function replaceTail(
  target: Target & { readonly facts: BigIntStats },
  tail: NewTail,
  settings: WriteSettings,
  signal: AbortSignal,
): Promise<BigIntStats> {
  const { facts } = target;
  if (facts.nlink === 1n && (facts.mode & PRIVILEGES) === 0n) return changeInPlace(target, tail, settings);
  await using file = await target.directory.openFile(target.name);
  return (await writeAtomically(target, join(readParts(file, signal, 0, tail.keep), tail.content), settings)).facts;
}

async function changeInPlace(
  { directory, name, shown, facts }: Target & { readonly facts: BigIntStats },
  { keep, content }: NewTail,
  { durability }: WriteSettings,
): Promise<BigIntStats> {
  await using file = await directory.openToAppend(name);
  const found = await file.facts();
  if (!isUnchanged(facts, found)) throw conflict(shown, computeEtag(facts), computeEtag(found));
  const isAddition = BigInt(keep) === facts.size;
  try {
    if (!isAddition) await file.truncate(keep);
    for await (const part of content) await file.append(part);
    if (durability === 'full') await file.flush();
    return await file.facts();
  } catch (error) {
    if (isAddition) await file.truncate(keep);
    throw error;
  }
}

async function* join(...contents: readonly AsyncIterable<Uint8Array>[]): AsyncGenerator<Uint8Array> {
  for (const content of contents) yield* content;
}
