import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, renameSync, statSync, type Stats } from 'node:fs';
import { lstat, mkdir, mkdtemp, readdir, rename, rm, utimes } from 'node:fs/promises';
import { arch, platform, tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

import { existingCluster, INITDB, INITDB_TEMPORARY, VERSION, type Cluster } from './cluster.ts';
import { contentsSql, type Contents } from './contents.ts';
import { runInBackground } from './in-background.ts';

/**
 * A data directory that has its contents, kept for the next starts; and a copy of it, the spare, which the next start takes
 * for its own by renaming it: of two that start at once, one.
 */
export class Template {
  readonly #parent: string;
  readonly #directory: string;
  readonly #spare: string;
  readonly #preparing: string;

  /** @param stateDirectory the user's own; it need not exist */
  constructor(stateDirectory: string, contents: Contents) {
    this.#parent = path.join(stateDirectory, 'templates');
    this.#directory = path.join(this.#parent, nameOf(contents));
    this.#spare = `${this.#directory}.spare`;
    this.#preparing = `${this.#directory}.preparing`;
  }

  get exists(): boolean {
    return this.#isPrivate() && existsSync(this.#directory);
  }

  get hasSpare(): boolean {
    return this.#isPrivate() && existsSync(this.#spare);
  }

  /** Makes the spare the data directory, which must not exist; `undefined` if there is none, or it cannot be renamed to there. */
  claimSpare(directory: string): Cluster | undefined {
    if (!this.hasSpare) return undefined;
    try {
      renameSync(this.#spare, directory);
    } catch {
      return undefined;
    }
    return existingCluster(directory);
  }

  /** Copies the template to the data directory, which must not exist; `undefined` if there is none that can be copied. */
  async copyTo(directory: string): Promise<Cluster | undefined> {
    if (!this.exists) return undefined;
    try {
      await run('cp', ['-Rp', this.#directory, directory], { env: ENV });
      return existingCluster(directory);
    } catch {
      await Promise.all([rm(directory, { recursive: true, force: true }), this.remove()]);
      return undefined;
    }
  }

  /** Moves a data directory, of a server that was stopped in order, to where the template is, unless there is one. */
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
   * Copies the template for the next start, unless that was done or is being done by another process. It has begun when this returns,
   * and goes on where this process is killed; does nothing where renaming would be copying, as from a disk to a temporary directory in memory.
   */
  async prepareSpare(): Promise<void> {
    if (!this.exists || this.hasSpare || statSync(this.#parent).dev !== statSync(tmpdir()).dev) return;
    mkdirSync(this.#preparing, { mode: 0o700 });
    const command = ['/bin/sh', '-c', PREPARE, 'mcp-sql-spare', this.#directory, this.#preparing, this.#spare];
    await runInBackground({ command, env: ENV });
  }

  /** Forgets a template from which no server could be started, and its copy. */
  async remove(): Promise<void> {
    await Promise.all([this.#directory, this.#spare].map(discard));
  }

  /** Removes what killed processes have not finished, and what no start has used for a month: that of versions no longer installed. */
  async sweep(): Promise<void> {
    if (!this.#isPrivate()) return;
    const now = new Date();
    await Promise.all([this.#directory, this.#spare].map((used) => utimes(used, now, now).catch(() => undefined)));
    const names = await readdir(this.#parent);
    await Promise.all(names.map((name) => discardIfOld(path.join(this.#parent, name), now)));
  }

  /** Whether nobody else can have put there what is there. */
  #isPrivate(): boolean {
    try {
      return isOurs(lstatSync(this.#parent));
    } catch {
      return false;
    }
  }
}

const run = promisify(execFile);
const ENV = { PATH: '/usr/bin:/bin' };

/** What is being prepared becomes the spare all at once, or is thrown away. */
const PREPARE = `
cp -Rp "$1" "$2/data" && [ ! -e "$3" ] && mv "$2/data" "$3"; status=$?
rm -rf "$2"
exit "$status"
`;

const MINUTES = 60_000;
/** Copying takes a second, initdb on a busy machine a few. */
const UNFINISHED_MS = 10 * MINUTES;
const UNUSED_MS = 30 * 24 * 60 * MINUTES;

function nameOf(contents: Contents): string {
  // Its files are of the platform's layout, as initdb was asked to make them, and with what was run in it.
  const made = [...INITDB, ...INITDB_TEMPORARY, ...contentsSql(contents, { reader: '', writer: '' })].join('\n');
  return `postgres-${VERSION}-${platform()}-${arch()}-${createHash('sha256').update(made).digest('hex').slice(0, 8)}`;
}

function isOurs(facts: Stats): boolean {
  return facts.isDirectory() && facts.uid === process.geteuid?.() && (facts.mode & 0o022) === 0;
}

async function discardIfOld(directory: string, now: Date): Promise<void> {
  const facts = await lstat(directory).catch(() => undefined);
  const longest = /\.(?:preparing|new-[^.]*)$/.test(directory) ? UNFINISHED_MS : UNUSED_MS;
  if (facts !== undefined && now.getTime() - facts.mtimeMs > longest) await discard(directory);
}

// Renamed first: whoever still works in it must not finish what is half removed.
async function discard(directory: string): Promise<void> {
  const discarded = `${directory}.new-${randomBytes(6).toString('hex')}`;
  const isThere = await rename(directory, discarded).then(
    () => true,
    () => false,
  );
  if (isThere) await rm(discarded, { recursive: true, force: true });
}
