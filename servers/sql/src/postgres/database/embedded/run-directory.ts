import { chmodSync, chownSync, mkdirSync, mkdtempSync } from 'node:fs';
import { lstat, readdir, rm, rmdir } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

import type { Account } from './account.ts';

const PREFIX = 'mcp-sql-';
/**
 * Name of a socket that this process listens on. After this process has ended, even by SIGKILL, connections to the socket are
 * refused.
 */
const ALIVE = 'alive';
const SERVER = 'server';
const PORT = 5432;
/** State of a socket, keyed by the error code of a failed connection to the socket. */
const FAILURES: Readonly<Record<string, 'refused' | 'absent'>> = { ECONNREFUSED: 'refused', ENOENT: 'absent' };
/** Age from which a directory without a socket belongs to a killed process. A younger directory may be in creation or removal. */
const EMPTY_MS = 60_000;
/** Options for removing a directory. The retries are needed if the server is still ending and writes to the directory. */
const REMOVE = { recursive: true, force: true, maxRetries: 5, retryDelay: 100 };

/** A private directory of one process and its embedded server. It is removed when both have ended. */
export class RunDirectory implements AsyncDisposable {
  readonly path: string;
  /** Directory that the embedded server may write to, and that contains its socket. */
  readonly server: string;
  /** Resolves when the `alive` socket listens. Rejects if it cannot listen, because other processes would consider the directory stale. */
  readonly listening: Promise<void>;
  readonly #alive: Server;

  private constructor(directory: string) {
    this.path = directory;
    this.server = path.join(directory, SERVER);
    this.#alive = createServer((connection) => connection.destroy());
    this.listening = listen(this.#alive, path.join(directory, ALIVE));
    this.listening.catch(() => undefined);
  }

  static create(account: Account | undefined): RunDirectory {
    const run = new RunDirectory(mkdtempSync(path.join(tmpdir(), PREFIX)));
    mkdirSync(run.server, { mode: 0o700 });
    if (account !== undefined) {
      chownSync(run.server, account.uid, account.gid);
      chmodSync(run.path, 0o711);
    }
    return run;
  }

  get port(): number {
    return PORT;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // The `alive` socket is removed last. If this process is killed before, another process can recognize the directory as stale.
    await rm(this.server, REMOVE);
    await new Promise((resolve) => this.#alive.close(resolve));
    await rm(this.path, REMOVE);
  }
}

/** Removes directories of killed processes that their watchdogs did not remove, or were not allowed to remove. */
export async function removeStale(): Promise<void> {
  const names = await readdir(tmpdir());
  await Promise.all(names.filter((name) => name.startsWith(PREFIX)).map((name) => removeIfStale(path.join(tmpdir(), name))));
}

async function removeIfStale(directory: string): Promise<void> {
  const facts = await lstat(directory).catch(() => undefined);
  // Other users may create directories and links with such names in a shared temporary directory.
  if (facts === undefined || !facts.isDirectory() || facts.uid !== process.geteuid?.()) return;
  const alive = await probeSocket(path.join(directory, ALIVE));
  if (alive === 'absent' && Date.now() - facts.mtimeMs > EMPTY_MS) await rmdir(directory).catch(() => undefined);
  if (alive !== 'refused') return;
  if ((await probeSocket(path.join(directory, SERVER, `.s.PGSQL.${PORT}`))) === 'yes') return;
  await rm(directory, REMOVE).catch(() => undefined);
}

function listen(server: Server, socket: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    // `listen` binds the socket before it returns, so the directory exists without its socket only for a moment.
    server.listen(socket, () => resolve());
    server.unref();
  });
}

function probeSocket(socket: string): Promise<'yes' | 'refused' | 'absent' | 'unknown'> {
  return new Promise((resolve) => {
    const connection = connect(socket, () => {
      connection.destroy();
      resolve('yes');
    });
    connection.once('error', ({ code = '' }: NodeJS.ErrnoException) => resolve(FAILURES[code] ?? 'unknown'));
  });
}
