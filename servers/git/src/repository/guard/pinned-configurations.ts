import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { copyFile, rm } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { isNativeError } from 'node:util/types';

import { isRunning, thisProcess, type ProcessIdentity } from '@org/mcp-host';

import type { CheckedConfiguration } from './checked-configuration.ts';
import type { RepositoryLayout } from './repository-layout.ts';
import { identifyDirectories, stampFiles } from './stamp.ts';

/** Prefix of the directory that contains all copies of one server; six random characters follow. */
export const PINNED_PREFIX = 'mcp-git-pinned-';

/** Entries of the common directory that git uses besides the configuration. */
const DIRECTORIES = ['hooks', 'info', 'objects', 'refs', 'reftable', 'worktrees'];
const FILES = ['packed-refs', 'shallow'];

/** File that identifies the process to which a directory belongs. */
const OWNER = 'owner.json';

/** Name of the user's configuration in a copy. Git never looks for a file with this name in a common directory. */
const USER = 'user-config';

/** Maximum number of copies that are kept for later calls. */
const MAX_COPIES = 200;

interface Copy {
  readonly directory: string;
  readonly stamp: string;
  /** Number of calls and object readers that use the copy. */
  users: number;
  /** Whether the copy was replaced, or evicted because too many copies exist. A discarded copy is removed after its last use. */
  isDiscarded: boolean;
}

type Variables = Readonly<Record<string, string>>;

/** A private copy of the user's configuration. */
export interface UserCopy extends Disposable {
  /** Environment variables that make git use the copy. */
  readonly env: Variables;
}

/** Returns variables that bind git to the examined directories, even if a `.git` file or a parent directory has changed since. */
export function bindToPaths({ top, isBare, gitDir, commonDir }: RepositoryLayout): Variables {
  return {
    GIT_DIR: gitDir,
    ...(!isBare && { GIT_WORK_TREE: top }),
    ...(commonDir !== gitDir && { GIT_COMMON_DIR: commonDir }),
  };
}

/**
 * Copies the file `shallow` from the pinned copy back to the repository after a fetch. Git replaces this file, or removes it once
 * the history is complete. In the pinned copy, the file is a link, so git changes only the link.
 */
export async function copyBackShallow(commonDir: string, used: string): Promise<void> {
  if (used === commonDir || !existsSync(used)) return;
  const own = path.join(used, 'shallow');
  const facts = lstatSync(own, { throwIfNoEntry: false });
  if (facts === undefined) await rm(path.join(commonDir, 'shallow'), { force: true });
  else if (!facts.isSymbolicLink()) await copyFile(own, path.join(commonDir, 'shallow'));
}

/**
 * Makes git use the configuration that was checked.
 *
 * Git reads `config` in the directory that `GIT_COMMON_DIR` names. Each checked configuration gets such a directory, in a private
 * directory of the server. Besides the configuration, this directory contains only links to entries of the real common directory;
 * on Windows, files may be copied instead. Git opens neither the repository's `config` nor its `config.worktree`, nor a file that
 * they include.
 */
export class PinnedConfigurations {
  #base: string | undefined;
  #made = 0;
  /** Copies by key, the least recently used copy first. */
  readonly #copies = new Map<string, Copy>();
  /** The end of a call is not observable here, so a copy is in use as long as its environment is reachable. */
  readonly #environments = new FinalizationRegistry<Copy>((copy) => {
    copy.users -= 1;
    removeUnused(copy);
  });

  /**
   * Returns variables that bind git to the examined directories, as {@link bindToPaths} does, and to a configuration. The
   * directories that the variables name exist at least as long as the returned object is reachable.
   */
  bind(layout: RepositoryLayout, configuration: CheckedConfiguration): Variables {
    const copy = this.#copyFor(layout, configuration);
    const { directory } = copy;
    const linked = findWorktreeName(layout);
    const environment = {
      // Git identifies a linked work tree by a path below the common directory, so `GIT_DIR` must be below the copy.
      GIT_DIR: linked === undefined ? layout.gitDir : path.join(directory, 'worktrees', linked),
      GIT_COMMON_DIR: directory,
      ...buildUserVariables(directory),
      // If `GIT_COMMON_DIR` is set, git ignores `core.bare`, so a variable defines whether the repository has a work tree.
      ...(layout.isBare ? { GIT_IMPLICIT_WORK_TREE: '0' } : { GIT_WORK_TREE: layout.top }),
    };
    copy.users += 1;
    this.#environments.register(environment, copy);
    this.#evict();
    return environment;
  }

  /** Creates a copy of the user's configuration, for git commands where no repository exists yet. Disposal removes the copy. */
  copyUser(user: Buffer): UserCopy {
    const directory = this.#newDirectory(user);
    const remove = (): void => rmSync(directory, { recursive: true, force: true });
    return { env: buildUserVariables(directory), [Symbol.dispose]: remove };
  }

  /** Removes all copies. */
  close(): void {
    this.#copies.clear();
    if (this.#base !== undefined) rmSync(this.#base, { recursive: true, force: true });
    this.#base = undefined;
  }

  #copyFor(layout: RepositoryLayout, configuration: CheckedConfiguration): Copy {
    const { gitDir, commonDir } = layout;
    const place = [gitDir, commonDir, stampFiles([path.join(commonDir, 'shallow')])].join('\0');
    const { repository, user } = configuration;
    const key = createHash('sha256').update(`${place}\0${repository.length}\0`).update(repository).update(user).digest('hex');
    const known = this.#copies.get(key);
    this.#copies.delete(key);
    const isWhole = known !== undefined && stampCopy(known.directory) === known.stamp;
    // Other programs may delete old temporary files. A copy that became incomplete is replaced.
    const copy = isWhole ? known : this.#make(layout, configuration);
    if (known !== undefined && !isWhole) discard(known);
    this.#copies.set(key, copy);
    return copy;
  }

  #make(layout: RepositoryLayout, { repository, user }: CheckedConfiguration): Copy {
    const directory = this.#newDirectory(user);
    for (const name of DIRECTORIES) symlinkSync(path.join(layout.commonDir, name), path.join(directory, name), 'junction');
    // In a linked work tree, git reads the branch of the main work tree from this HEAD.
    // In the main work tree, git would mistake a directory with this HEAD for another work tree, so HEAD is omitted.
    for (const name of findWorktreeName(layout) === undefined ? FILES : [...FILES, 'HEAD'])
      linkFile(path.join(layout.commonDir, name), path.join(directory, name));
    writeFileSync(path.join(directory, 'config'), repository, { mode: 0o600, flag: 'wx' });
    return { directory, stamp: stampCopy(directory), users: 0, isDiscarded: false };
  }

  #newDirectory(user: Buffer): string {
    const directory = path.join(this.#parent(), String((this.#made += 1)));
    mkdirSync(directory, { mode: 0o700 });
    writeFileSync(path.join(directory, USER), user, { mode: 0o600, flag: 'wx' });
    return directory;
  }

  #parent(): string {
    if (this.#base !== undefined && identifyDirectories([this.#base]) === '-;') this.#base = undefined;
    this.#base ??= makeBase(realpathSync(tmpdir()));
    // The name `.git` protects the copies: without `--allow-git-dir`, `mcp-fs` writes nothing below such a directory, even in its roots.
    const parent = path.join(this.#base, '.git');
    mkdirSync(parent, { recursive: true, mode: 0o700 });
    return parent;
  }

  #evict(): void {
    for (const [key, copy] of this.#copies) {
      if (this.#copies.size <= MAX_COPIES) return;
      this.#copies.delete(key);
      discard(copy);
    }
  }
}

function discard(copy: Copy): void {
  copy.isDiscarded = true;
  removeUnused(copy);
}

function removeUnused({ directory, users, isDiscarded }: Copy): void {
  if (!isDiscarded || users > 0) return;
  try {
    rmSync(directory, { recursive: true, force: true });
  } catch {
    // This directory is removed together with the other copies when the server ends.
  }
}

/** Builds variables that replace the configuration files of the user and of the system, so that git does not read them again. */
function buildUserVariables(directory: string): Variables {
  return { GIT_CONFIG_GLOBAL: path.join(directory, USER), GIT_CONFIG_NOSYSTEM: '1' };
}

/** Creates a private directory and removes the directories of killed servers. */
function makeBase(parent: string): string {
  for (const name of readdirSync(parent).filter((each) => each.startsWith(PINNED_PREFIX)))
    if (isLeftBehind(path.join(parent, name))) rmSync(path.join(parent, name), { recursive: true, force: true });
  const base = mkdtempSync(path.join(parent, PINNED_PREFIX));
  writeFileSync(path.join(base, OWNER), JSON.stringify(thisProcess()), { mode: 0o600 });
  return base;
}

function isLeftBehind(directory: string): boolean {
  if (lstatSync(directory, { throwIfNoEntry: false })?.uid !== userInfo().uid) return false;
  try {
    const owner = JSON.parse(readFileSync(path.join(directory, OWNER), 'utf8')) as ProcessIdentity;
    return isRunning(owner) === false;
  } catch {
    // The directory of a server that is just starting has no owner file yet, so a directory without this file is kept.
    return false;
  }
}

/** Creates a link to a file, or a copy on Windows if the user may not create links. */
function linkFile(target: string, link: string): void {
  try {
    symlinkSync(target, link, 'file');
  } catch (error) {
    if (!(isNativeError(error) && 'code' in error && error.code === 'EPERM')) throw error;
    if (existsSync(target)) copyFileSync(target, link);
  }
}

/** Returns a stamp of a copy, which changes when the configuration or one of the links is replaced. */
function stampCopy(directory: string): string {
  return stampFiles([directory, path.join(directory, 'config'), path.join(directory, USER)]);
}

/** Returns the name of a linked work tree in the common directory, or `undefined` for the main work tree. */
function findWorktreeName({ gitDir, commonDir }: RepositoryLayout): string | undefined {
  return path.dirname(gitDir) === path.join(commonDir, 'worktrees') ? path.basename(gitDir) : undefined;
}
