import { createHash } from 'node:crypto';
import { lstat } from 'node:fs/promises';

import { decodeList } from './parse/fields.ts';
import { parseStatus, type StatusEntry } from './parse/status.ts';
import { directoriesAbove } from './path-bytes.ts';
import { onDisk } from './paths.ts';
import type { Repository } from './repository.ts';

/** What tracked files have that HEAD has not. */
export interface Changes {
  readonly entries: readonly StatusEntry[];
  /** Another as soon as anything of it is another: in the index, or in the work tree. */
  readonly fingerprint: string;
}

/** Submodules are left out: what is in them is theirs. */
export async function changesIn(repository: Repository, paths: readonly string[] = []): Promise<Changes> {
  const flags = ['--porcelain=v2', '-z', '--untracked-files=no', '--no-renames', '--ignore-submodules=all'];
  const { stdout } = await repository.read(['status', ...flags, '--', ...paths]);
  const { entries } = parseStatus(stdout);
  const stamps = await stampsOf(repository, inWorkTree(entries));
  return { entries, fingerprint: createHash('sha256').update(stdout).update(stamps).digest('base64url') };
}

/** The paths of what differs between the index and the work tree, or is in conflict. */
export function inWorkTree(entries: readonly StatusEntry[]): readonly string[] {
  return entries.filter(({ unstaged, conflict }) => unstaged !== undefined || conflict === true).map((entry) => entry.path);
}

/** How a change is told in a preview. */
export function changeLine({ path: name, staged, unstaged, conflict }: StatusEntry): string {
  const kinds =
    conflict === true ? ['in conflict'] : [staged && `staged ${staged}`, unstaged].filter((kind) => kind !== undefined);
  return `${name} (${kinds.join(', ')})`;
}

/**
 * Untracked files, ignored ones too, that would be written over where a commit's files are written to the work tree.
 *
 * @param source a full object name
 */
export async function inTheWayOf(
  repository: Repository,
  source: string,
  paths: readonly string[] = [],
): Promise<readonly string[]> {
  const flags = ['-z', '--name-only', '--diff-filter=D', '--no-renames', '--ignore-submodules=all'];
  const { stdout } = await repository.read(['diff-index', ...flags, source, '--', ...paths]);
  return occupying(repository, decodeList(stdout));
}

/** Untracked files that stand where some files would be written. */
export async function occupying(
  repository: Repository,
  files: readonly string[],
  kinds: readonly string[] = [],
): Promise<readonly string[]> {
  const occupants = new Set<string>();
  for (const file of files) {
    const occupant = await occupantOf(repository, file);
    if (occupant !== undefined) occupants.add(occupant);
  }
  if (occupants.size === 0) return [];
  const others = await repository.read(['ls-files', '-z', '--others', ...kinds, '--', ...occupants]);
  return decodeList(others.stdout);
}

/** Identity, size and times of files: another as soon as one of them is written to. */
export async function stampsOf(repository: Repository, files: readonly string[]): Promise<string> {
  const facts = await Promise.all(files.map((file) => lstat(onDisk(repository, file), { bigint: true }).catch(() => undefined)));
  return facts.map((fact) => (fact === undefined ? '-' : `${fact.ino}:${fact.size}:${fact.mtimeNs}:${fact.ctimeNs}`)).join(';');
}

/** What stands where a file would be written, or where one of its directories would be. */
async function occupantOf(repository: Repository, file: string): Promise<string | undefined> {
  for (const name of [...directoriesAbove(file), file]) {
    const facts = await lstat(onDisk(repository, name)).catch(() => undefined);
    if (facts === undefined) return undefined;
    if (!facts.isDirectory() || name === file) return name;
  }
  return undefined;
}
