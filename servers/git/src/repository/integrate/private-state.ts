import { constants } from 'node:fs';
import { cp, lstat, mkdir, mkdtemp, open, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { readFileBelow } from '../guard/state-file.ts';
import type { Repository } from '../repository.ts';
import { STEPS_DIRECTORIES, untrustedError, type Sequence } from './planted-steps.ts';

/** Files in the git directory that a rebase, cherry-pick or revert in progress reads or writes. */
const FILES = [
  'HEAD',
  'ORIG_HEAD',
  'REBASE_HEAD',
  'CHERRY_PICK_HEAD',
  'REVERT_HEAD',
  'MERGE_HEAD',
  'MERGE_MSG',
  'MERGE_MODE',
  'SQUASH_MSG',
  'AUTO_MERGE',
  'COMMIT_EDITMSG',
];
/** Per-worktree references that a rebase with merges creates. */
const LABELS = path.join('refs', 'rewritten');
/** The shared part of a split index. */
const SHARED_INDEX = /^sharedindex\.[0-9a-f]+$/;
/** Directory that exists in a repository with the reftable format, whose HEAD is not a file and cannot be copied. */
const REFTABLE = 'reftable';
const MAX_FILE = 67_108_864;

/** A private git directory with a copy of the state of an operation. */
export interface PrivateState {
  readonly gitDir: string;
  /** Environment variables that override the variables of the repository. */
  readonly env: Readonly<Record<string, string>>;
}

/** Whether the format of the repository allows {@link withPrivateState} to copy the state of an operation. */
export async function isCopyable({ layout }: Repository): Promise<boolean> {
  return !(await exists(path.join(layout.gitDir, REFTABLE)));
}

/**
 * Runs work on a private copy of the state of an operation in progress, and then replaces the state with the result. No other program
 * can change the steps between the check and the moment when git reads them.
 *
 * @throws ToolError REPO_UNTRUSTED for a state that cannot be copied
 */
export async function withPrivateState<Outcome>(
  { layout, effectiveCommonDir }: Repository,
  kind: Sequence,
  work: (state: PrivateState) => Promise<Outcome>,
): Promise<Outcome> {
  const gitDir = await mkdtemp(`${effectiveCommonDir}-state-`);
  try {
    await copyIn(layout.gitDir, gitDir, kind);
    await writeFile(path.join(gitDir, 'commondir'), `${layout.commonDir}\n`);
    await mkdir(path.join(gitDir, 'logs'));
    await symlink(path.join(layout.gitDir, 'logs/HEAD'), path.join(gitDir, 'logs/HEAD'));
    const before = await readFileBelow(gitDir, 'HEAD', MAX_FILE);
    try {
      return await work({ gitDir, env: { GIT_DIR: gitDir, GIT_INDEX_FILE: path.join(layout.gitDir, 'index') } });
    } finally {
      await copyOut(gitDir, layout.gitDir, { directories: [STEPS_DIRECTORIES[kind], LABELS], head: before });
    }
  } finally {
    await rm(gitDir, { recursive: true, force: true });
  }
}

async function copyIn(from: string, to: string, kind: Sequence): Promise<void> {
  if (await exists(path.join(from, REFTABLE)))
    throw untrustedError(kind, 'the repository stores references in the reftable format');
  const steps = STEPS_DIRECTORIES[kind];
  if (!(await Promise.all([...FILES, 'info/sparse-checkout'].map((name) => copyFile(from, to, name)))).every(Boolean))
    throw untrustedError(kind, 'one of its state files has 64 MiB or more');
  // The directory does not exist while a single commit is picked or reverted.
  for (const entry of await readdir(path.join(from, steps), { withFileTypes: true }).catch(() => [])) {
    if (!entry.isFile()) throw untrustedError(kind, 'one of its state files is not a regular file');
    if (!(await copyFile(from, to, path.join(steps, entry.name))))
      throw untrustedError(kind, 'one of its state files has 64 MiB or more');
  }
  for (const name of (await readdir(from)).filter((each) => SHARED_INDEX.test(each)))
    await symlink(path.join(from, name), path.join(to, name));
  if (await exists(path.join(from, LABELS))) await cp(path.join(from, LABELS), path.join(to, LABELS), { recursive: true });
}

/** Copies a file if it exists. Returns `false` if the file is too large. */
async function copyFile(from: string, to: string, name: string): Promise<boolean> {
  const content = await readFileBelow(from, name, MAX_FILE);
  if (content === undefined) return true;
  if (content.length === MAX_FILE) return false;
  await mkdir(path.dirname(path.join(to, name)), { recursive: true });
  await writeFile(path.join(to, name), content, { flag: 'wx' });
  return true;
}

/** Replaces the state with the private copy. Writes HEAD last, so that all other files exist when git reads the new HEAD. */
async function copyOut(
  from: string,
  to: string,
  { directories, head }: { readonly directories: readonly string[]; readonly head: Buffer | undefined },
): Promise<void> {
  for (const name of FILES.filter((each) => each !== 'HEAD')) await putFile(from, to, name);
  for (const name of directories) await putDirectory(from, to, name);
  const now = await readFileBelow(from, 'HEAD', MAX_FILE);
  if (now !== undefined && head?.equals(now) !== true) await putHead(to, now);
}

async function putFile(from: string, to: string, name: string): Promise<void> {
  const content = await readFileBelow(from, name, MAX_FILE);
  if (content === undefined) return rm(path.join(to, name), { force: true });
  const temporary = path.join(to, `mcp-${path.basename(from)}-${name}`);
  await writeFile(temporary, content, { flag: 'wx' });
  await rename(temporary, path.join(to, name));
}

async function putDirectory(from: string, to: string, name: string): Promise<void> {
  const place = path.join(to, name);
  const made = `${place}-mcp-${path.basename(from)}`;
  const isThere = await exists(path.join(from, name));
  if (isThere) await cp(path.join(from, name), made, { recursive: true });
  await rm(place, { recursive: true, force: true });
  if (isThere) await rename(made, place);
}

/** Writes HEAD under the lock file that git itself uses. */
async function putHead(to: string, content: Buffer): Promise<void> {
  const lock = path.join(to, 'HEAD.lock');
  await using file = await open(lock, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL);
  await file.writeFile(content);
  await rename(lock, path.join(to, 'HEAD'));
}

async function exists(place: string): Promise<boolean> {
  return (await lstat(place).catch(() => undefined)) !== undefined;
}
