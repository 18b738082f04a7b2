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

import { isRunning, thisProcess, type ProcessIdentity } from '@org/mcp-host';

import type { Ground } from './places.ts';
import { identityOf, stampOf } from './stamp.ts';

/** Name of the directory that all copies of a server are in, before six random characters. */
export const PINNED_PREFIX = 'mcp-git-pinned-';

/** What git looks for in the common directory besides the configuration. */
const DIRECTORIES = ['hooks', 'info', 'objects', 'refs', 'reftable', 'worktrees'];
const FILES = ['packed-refs', 'shallow'];

/** The file that says which process a directory belongs to. */
const OWNER = 'owner.json';

/** Copies that exist at a time; the one that was unused for longest is removed. */
const MAX_COPIES = 200;

interface Copy {
  readonly directory: string;
  readonly stamp: string;
}

type Variables = Readonly<Record<string, string>>;

/** Ties git to the directories that were looked at, whatever a `.git` file or a parent directory says by now. */
export function bound({ top, isBare, gitDir, commonDir }: Ground): Variables {
  return {
    GIT_DIR: gitDir,
    ...(!isBare && { GIT_WORK_TREE: top }),
    ...(commonDir !== gitDir && { GIT_COMMON_DIR: commonDir }),
  };
}

/**
 * Passes on what a fetch made of `shallow`. Git removes the file by its name once the repository has its whole history, and by then the
 * name is that of a link.
 */
export async function passOnShallow(commonDir: string, used: string): Promise<void> {
  if (used === commonDir || !existsSync(used)) return;
  const own = path.join(used, 'shallow');
  const facts = lstatSync(own, { throwIfNoEntry: false });
  if (facts === undefined) await rm(path.join(commonDir, 'shallow'), { force: true });
  else if (!facts.isSymbolicLink()) await copyFile(own, path.join(commonDir, 'shallow'));
}

/**
 * Makes the configuration that was checked the one that git uses.
 *
 * Git reads `config` in the directory that `GIT_COMMON_DIR` names. Each checked configuration gets such a directory, in a private
 * directory of the server. Beside the configuration it contains only links to the parts of the real common directory. Git opens
 * neither the repository's `config` nor its `config.worktree`, nor a file that they include.
 */
export class PinnedConfigurations {
  #base: string | undefined;
  #made = 0;
  /** By what they were made for, the one that was unused for longest first. */
  readonly #copies = new Map<string, Copy>();

  /** Ties git to the directories that were looked at, as {@link bound} does, and to a configuration. */
  environment(ground: Ground, configuration: Buffer): Variables {
    const directory = this.#directoryFor(ground, configuration);
    const linked = linkedName(ground);
    return {
      // Git compares paths to find out which of the linked work trees it works in.
      GIT_DIR: linked === undefined ? ground.gitDir : path.join(directory, 'worktrees', linked),
      GIT_COMMON_DIR: directory,
      // With a common directory of its own, git does not look at core.bare.
      ...(ground.isBare ? { GIT_IMPLICIT_WORK_TREE: '0' } : { GIT_WORK_TREE: ground.top }),
    };
  }

  /** Removes all copies. */
  close(): void {
    this.#copies.clear();
    if (this.#base !== undefined) rmSync(this.#base, { recursive: true, force: true });
    this.#base = undefined;
  }

  #directoryFor(ground: Ground, configuration: Buffer): string {
    const { gitDir, commonDir } = ground;
    const place = [gitDir, commonDir, stampOf([path.join(commonDir, 'shallow')])].join('\0');
    const key = createHash('sha256').update(place).update(configuration).digest('hex');
    const known = this.#copies.get(key);
    this.#copies.delete(key);
    const isWhole = known !== undefined && stampOfCopy(known.directory) === known.stamp;
    // Others may clean the directory for temporary files.
    const copy = isWhole ? known : this.#make(ground, configuration);
    this.#copies.set(key, copy);
    this.#evict();
    return copy.directory;
  }

  #make(ground: Ground, configuration: Buffer): Copy {
    const directory = path.join(this.#parent(), String((this.#made += 1)));
    mkdirSync(directory, { mode: 0o700 });
    for (const name of DIRECTORIES) symlinkSync(path.join(ground.commonDir, name), path.join(directory, name), 'junction');
    // From a linked work tree git looks here for the branch of the main one. In the main one, git would take it for another work tree.
    for (const name of linkedName(ground) === undefined ? FILES : [...FILES, 'HEAD'])
      linkFile(path.join(ground.commonDir, name), path.join(directory, name));
    writeFileSync(path.join(directory, 'config'), configuration, { mode: 0o600, flag: 'wx' });
    return { directory, stamp: stampOfCopy(directory) };
  }

  #parent(): string {
    if (this.#base !== undefined && identityOf([this.#base]) === '-;') this.#base = undefined;
    this.#base ??= makeBase(realpathSync(tmpdir()));
    // File servers write nothing below a directory of this name, even if their roots contain the temporary directory.
    const parent = path.join(this.#base, '.git');
    mkdirSync(parent, { recursive: true, mode: 0o700 });
    return parent;
  }

  #evict(): void {
    for (const [key, { directory }] of this.#copies) {
      if (this.#copies.size <= MAX_COPIES) return;
      this.#copies.delete(key);
      rmSync(directory, { recursive: true, force: true });
    }
  }
}

/** A private directory; those that killed servers left behind are removed. */
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
    // The directory of a server that has just started has no owner yet.
    return false;
  }
}

/** Windows lets only some users make links to files. */
function linkFile(target: string, link: string): void {
  try {
    symlinkSync(target, link, 'file');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) throw error;
    if (existsSync(target)) copyFileSync(target, link);
  }
}

/** Changes when the configuration or one of the links is replaced. */
function stampOfCopy(directory: string): string {
  return stampOf([directory, path.join(directory, 'config')]);
}

/** The name of a linked work tree in the common directory; `undefined` for the main one. */
function linkedName({ gitDir, commonDir }: Ground): string | undefined {
  return path.dirname(gitDir) === path.join(commonDir, 'worktrees') ? path.basename(gitDir) : undefined;
}
