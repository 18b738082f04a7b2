import { createHash } from 'node:crypto';
import { lstat } from 'node:fs/promises';

import { parseStatus, type StatusEntry } from '../parse/status.ts';
import type { Repository } from '../repository.ts';
import { toDiskPath } from './paths.ts';

/** The changes of tracked files in comparison with HEAD. */
export interface UncommittedChanges {
  readonly entries: readonly StatusEntry[];
  /** Fingerprint of the changes; differs as soon as the index or a changed file differs. */
  readonly fingerprint: string;
}

/** Reads the uncommitted changes of tracked files. Submodules are excluded. */
export async function readUncommittedChanges(repository: Repository, paths: readonly string[] = []): Promise<UncommittedChanges> {
  const flags = ['--porcelain=v2', '-z', '--untracked-files=no', '--no-renames', '--ignore-submodules=all'];
  const { stdout } = await repository.read(['status', ...flags, '--', ...paths]);
  const { entries } = parseStatus(stdout);
  const stamps = await stampWorkTreeFiles(repository, listWorkTreePaths(entries));
  return { entries, fingerprint: createHash('sha256').update(stdout).update(stamps).digest('base64url') };
}

/** Returns the paths that differ between the index and the work tree or are in conflict. */
export function listWorkTreePaths(entries: readonly StatusEntry[]): readonly string[] {
  return entries.filter(({ unstaged, conflict }) => unstaged !== undefined || conflict === true).map((entry) => entry.path);
}

/** Formats a change for the preview of a confirmation. */
export function formatChange({ path: name, staged, unstaged, conflict }: StatusEntry): string {
  const kinds =
    conflict === true ? ['in conflict'] : [staged && `staged ${staged}`, unstaged].filter((kind) => kind !== undefined);
  return `${name} (${kinds.join(', ')})`;
}

/** Returns a stamp of files of the work tree, which changes when one of them is replaced or written to. */
export async function stampWorkTreeFiles(repository: Repository, files: readonly string[]): Promise<string> {
  const facts = await Promise.all(
    files.map((file) => lstat(toDiskPath(repository, file), { bigint: true }).catch(() => undefined)),
  );
  return facts.map((fact) => (fact === undefined ? '-' : `${fact.ino}:${fact.size}:${fact.mtimeNs}:${fact.ctimeNs}`)).join(';');
}
