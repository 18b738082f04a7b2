import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { lstat, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { arch, platform } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

import type { Account } from './account.ts';
import type { Binaries } from './binaries.ts';
import { createCluster, existingCluster, INITDB, VERSION, type Cluster } from './cluster.ts';

const run = promisify(execFile);

/** A data directory as initdb left it, kept for the next start: to copy it takes a tenth of the time. */
export class Template {
  readonly #parent: string;
  readonly #directory: string;

  /** @param stateDirectory the user's own; it need not exist */
  constructor(stateDirectory: string) {
    this.#parent = path.join(stateDirectory, 'templates');
    this.#directory = path.join(this.#parent, NAME);
  }

  /** Makes a data directory from the template, or the template from it if there is none yet, or none that can be copied. */
  async createCluster(directory: string, binaries: Binaries, account: Account | undefined): Promise<Cluster> {
    const copied = await this.#copyTo(directory, account).catch(async () => {
      await Promise.all([rm(directory, { recursive: true, force: true }), this.remove()]);
      return undefined;
    });
    if (copied !== undefined) return copied;
    const made = await createCluster(directory, binaries, account);
    // Where nothing can be kept, each start takes the time of the first.
    await this.#keep(directory).catch(() => undefined);
    return made;
  }

  /** Forgets a template from which no server could be started. */
  async remove(): Promise<void> {
    await rm(this.#directory, { recursive: true, force: true });
  }

  async #copyTo(directory: string, account: Account | undefined): Promise<Cluster | undefined> {
    const facts = await lstat(this.#directory).catch(() => undefined);
    if (facts === undefined || !facts.isDirectory() || facts.uid !== process.geteuid?.()) return undefined;
    await copy(this.#directory, directory);
    const cluster = await existingCluster(directory);
    if (account !== undefined) await run('chown', ['-R', `${account.uid}:${account.gid}`, directory], { env: ENV });
    return cluster;
  }

  async #keep(directory: string): Promise<void> {
    await mkdir(this.#parent, { recursive: true, mode: 0o700 });
    const unfinished = await mkdtemp(`${this.#directory}.new-`);
    try {
      await copy(directory, path.join(unfinished, 'data'));
      await rename(path.join(unfinished, 'data'), this.#directory);
    } finally {
      await rm(unfinished, { recursive: true, force: true });
    }
  }
}

const ENV = { PATH: '/usr/bin:/bin' };

/** Its files are of the platform's layout, and as initdb was asked to make them. */
const NAME = `postgres-${VERSION}-${platform()}-${arch()}-${createHash('sha256').update(INITDB.join(' ')).digest('hex').slice(0, 8)}`;

// A thousand small files: the program copies them several times as fast as Node.
async function copy(from: string, to: string): Promise<void> {
  await run('cp', ['-R', from, to], { env: ENV });
}
