import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, renameSync, statSync, type Stats } from 'node:fs';
import { lstat, mkdir, mkdtemp, readdir, rename, rm, utimes } from 'node:fs/promises';
import { arch, platform, tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

import { openCluster, INITDB_FLAGS, TEMPORARY_INITDB_FLAGS, VERSION, type Cluster } from './cluster.ts';
import { contentsSql, type Contents } from './contents.ts';
import { runInBackground } from './background-command.ts';

/**
 * A data directory with its contents, kept for later starts, and a copy that is called the spare. The next start claims the spare by
 * renaming it, so that only one of several concurrent starts gets the spare.
 */
export class Template {
  readonly #parent: string;
  readonly #directory: string;
  readonly #spare: string;
  readonly #preparing: string;

  /** @param stateDirectory the user's state directory, which need not exist */
  constructor(stateDirectory: string, contents: Contents) {
    this.#parent = path.join(stateDirectory, 'templates');
    this.#directory = path.join(this.#parent, templateName(contents));
    this.#spare = `${this.#directory}.spare`;
    this.#preparing = `${this.#directory}.preparing`;
  }

  get exists(): boolean {
    return this.#isPrivate() && existsSync(this.#directory);
  }

  get hasSpare(): boolean {
    return this.#isPrivate() && existsSync(this.#spare);
  }

  /** Renames the spare to `directory`, which must not exist. Returns `undefined` if no spare exists, or renaming fails. */
  claimSpare(directory: string): Cluster | undefined {
    if (!this.hasSpare) return undefined;
    try {
      renameSync(this.#spare, directory);
    } catch {
      return undefined;
    }
    return openCluster(directory);
  }

  /** Copies the template to `directory`, which must not exist. Returns `undefined` if no template exists, or copying fails. */
  async copyTo(directory: string): Promise<Cluster | undefined> {
    if (!this.exists) return undefined;
    try {
      await run('cp', ['-Rp', this.#directory, directory], { env: ENV });
      return openCluster(directory);
    } catch {
      await Promise.all([rm(directory, { recursive: true, force: true }), this.remove()]);
      return undefined;
    }
  }

  /**
   * Moves a data directory to the template's path. The server of the data directory must have stopped cleanly. Rejects if a
   * template exists.
   */
  async keep(directory: string): Promise<void> {
    await mkdir(this.#parent, { recursive: true, mode: 0o700 });
    const unfinished = await mkdtemp(`${this.#directory}.new-`);
    try {
      const moved = path.join(unfinished, 'data');
      await runInBackground({ command: ['mv', directory, moved], env: ENV });
      await rename(moved, this.#directory);
    } finally {
      await rm(unfinished, { recursive: true, force: true });
    }
  }

  /**
   * Copies the template to a spare for the next start. The copy starts synchronously, and continues if this process is killed.
   * Rejects if another process is preparing a spare. Does nothing if no template exists, or if a spare exists. Does nothing if
   * temporary files are on another file system, because a start could not rename the spare.
   */
  async prepareSpare(): Promise<void> {
    if (!this.exists || this.hasSpare || statSync(this.#parent).dev !== statSync(tmpdir()).dev) return;
    mkdirSync(this.#preparing, { mode: 0o700 });
    const command = ['/bin/sh', '-c', PREPARE, 'mcp-sql-spare', this.#directory, this.#preparing, this.#spare];
    await runInBackground({ command, env: ENV });
  }

  /** Removes a damaged template and its spare. */
  async remove(): Promise<void> {
    await Promise.all([this.#directory, this.#spare].map(discard));
  }

  /**
   * Removes unfinished directories of killed processes. Also removes templates that no start has used for 30 days, such as
   * templates of uninstalled versions.
   */
  async sweep(): Promise<void> {
    if (!this.#isPrivate()) return;
    const now = new Date();
    await Promise.all([this.#directory, this.#spare].map((used) => utimes(used, now, now).catch(() => undefined)));
    const names = await readdir(this.#parent);
    await Promise.all(names.map((name) => discardIfOld(path.join(this.#parent, name), now)));
  }

  /** Returns true if only this user can write to the directory of templates. */
  #isPrivate(): boolean {
    try {
      return isPrivateDirectory(lstatSync(this.#parent));
    } catch {
      return false;
    }
  }
}

const run = promisify(execFile);
const ENV = { PATH: '/usr/bin:/bin' };

/** Copies to a separate directory and renames the copy, so that an incomplete copy never becomes the spare. */
const PREPARE = `
cp -Rp "$1" "$2/data" && [ ! -e "$3" ] && mv "$2/data" "$3"; status=$?
rm -rf "$2"
exit "$status"
`;

const MINUTES = 60_000;
/** Age from which an unfinished directory belongs to a killed process. Copying and initdb take only seconds, even on a busy machine. */
const UNFINISHED_MS = 10 * MINUTES;
const UNUSED_MS = 30 * 24 * 60 * MINUTES;

function templateName(contents: Contents): string {
  // The files of a template depend on the version of PostgreSQL, the platform, the flags of initdb and the SQL.
  const inputs = [...INITDB_FLAGS, ...TEMPORARY_INITDB_FLAGS, ...contentsSql(contents, { reader: '', writer: '' })].join('\n');
  return `postgres-${VERSION}-${platform()}-${arch()}-${createHash('sha256').update(inputs).digest('hex').slice(0, 8)}`;
}

function isPrivateDirectory(facts: Stats): boolean {
  return facts.isDirectory() && facts.uid === process.geteuid?.() && (facts.mode & 0o022) === 0;
}

async function discardIfOld(directory: string, now: Date): Promise<void> {
  const facts = await lstat(directory).catch(() => undefined);
  const longest = /\.(?:preparing|new-[^.]*)$/.test(directory) ? UNFINISHED_MS : UNUSED_MS;
  if (facts !== undefined && now.getTime() - facts.mtimeMs > longest) await discard(directory);
}

// The directory is renamed first, so that a process that still works in the directory cannot publish a half-removed directory.
async function discard(directory: string): Promise<void> {
  const discarded = `${directory}.new-${randomBytes(6).toString('hex')}`;
  const isThere = await rename(directory, discarded).then(
    () => true,
    () => false,
  );
  if (isThere) await rm(discarded, { recursive: true, force: true });
}
