import { isUtf8 } from 'node:buffer';
import { lstat, realpath } from 'node:fs/promises';
import path from 'node:path';

import { bytesOfPath } from './path-bytes.ts';
import type { Repository } from './repository.ts';
import { isOid } from './revision.ts';
import { readBelow, readLineBelow } from './state-file.ts';

/** Maximum size of `packed-refs`. */
const MAX_REFERENCES = 16_777_216;

/** Whether a directory of the work tree has a `.git` entry of its own. */
export async function hasRepository({ ground }: Repository, directory: string): Promise<boolean> {
  const place = Buffer.concat([Buffer.from(ground.top + path.sep), bytesOfPath(directory), Buffer.from('/.git')]);
  return (await lstat(place).catch(() => undefined)) !== undefined;
}

/**
 * Returns the commit that is checked out in a submodule. The function does not run git, which follows a `.git` file to any
 * directory.
 *
 * @returns `undefined` for a submodule whose git directory is not inside the roots, or that has no commit
 */
export async function submoduleCommit(repository: Repository, directory: string): Promise<string | undefined> {
  const gitDir = await gitDirOf(repository, directory).catch(() => undefined);
  if (gitDir === undefined) return undefined;
  const head = await readLineBelow(gitDir, 'HEAD');
  if (isOid(head)) return head;
  const [, ref] = /^ref: (refs\/.+)$/.exec(head) ?? [];
  if (ref === undefined) return undefined;
  const commonDir = await commonDirOf(repository, gitDir);
  return commonDir === undefined ? undefined : referenceIn(commonDir, ref);
}

async function gitDirOf({ ground, insideRoots }: Repository, directory: string): Promise<string | undefined> {
  const bytes = bytesOfPath(directory);
  if (!isUtf8(bytes)) return undefined;
  const place = path.join(ground.top, bytes.toString('utf8'));
  if ((await realpath(place)) !== place) return undefined;
  const facts = await lstat(path.join(place, '.git'));
  if (facts.isDirectory()) return path.join(place, '.git');
  const [, named] = /^gitdir: (.+)$/.exec(await readLineBelow(place, '.git')) ?? [];
  return named === undefined ? undefined : insideRoots(path.resolve(place, named));
}

async function commonDirOf({ insideRoots }: Repository, gitDir: string): Promise<string | undefined> {
  const named = await readLineBelow(gitDir, 'commondir');
  return named === '' ? gitDir : insideRoots(path.resolve(gitDir, named));
}

async function referenceIn(commonDir: string, ref: string): Promise<string | undefined> {
  const loose = await readLineBelow(commonDir, ref);
  if (isOid(loose)) return loose;
  const packed = (await readBelow(commonDir, 'packed-refs', MAX_REFERENCES))?.toString('utf8') ?? '';
  const oid = packed
    .split('\n')
    .find((line) => line.endsWith(` ${ref}`))
    ?.slice(0, -ref.length - 1);
  return oid !== undefined && isOid(oid) ? oid : undefined;
}
