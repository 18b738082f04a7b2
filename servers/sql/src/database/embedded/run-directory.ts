import { chmodSync, chownSync, mkdirSync, mkdtempSync } from 'node:fs';
import { lstat, readdir, rm, rmdir } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

import type { Account } from './account.ts';

const PREFIX = 'mcp-sql-';
/** A socket that this process listens on: once it died, by whatever signal, connecting is refused. */
const ALIVE = 'alive';
const SERVER = 'server';
const PORT = 5432;
/** What it means that a socket cannot be connected to. */
const FAILURES: Readonly<Record<string, 'refused' | 'absent'>> = { ECONNREFUSED: 'refused', ENOENT: 'absent' };
/** A process whose directory is new or almost removed has no socket for a moment; if it is killed then, the empty directory stays. */
const EMPTY_MS = 60_000;
/** A server that ends at the same time may still write. */
const REMOVE = { recursive: true, force: true, maxRetries: 5, retryDelay: 100 };

/** A private directory that belongs to one process and its embedded server, and goes with them. */
export class RunDirectory implements AsyncDisposable {
  readonly path: string;
  /** Where the embedded server may write; its socket is here. */
  readonly server: string;
  /** Rejects if others cannot be shown that this process is alive. */
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
    // While the socket is there, what a killed process has not removed is known to be left behind.
    await rm(this.server, REMOVE);
    await new Promise((resolve) => this.#alive.close(resolve));
    await rm(this.path, REMOVE);
  }
}

/** Removes what processes left behind that were killed, and what their watchdogs may not remove. */
export async function removeStale(): Promise<void> {
  const names = await readdir(tmpdir());
  await Promise.all(names.filter((name) => name.startsWith(PREFIX)).map((name) => removeIfStale(path.join(tmpdir(), name))));
}

async function removeIfStale(directory: string): Promise<void> {
  const facts = await lstat(directory).catch(() => undefined);
  // In a shared temporary directory others may plant names and links.
  if (facts === undefined || !facts.isDirectory() || facts.uid !== process.geteuid?.()) return;
  const alive = await answers(path.join(directory, ALIVE));
  if (alive === 'absent' && Date.now() - facts.mtimeMs > EMPTY_MS) await rmdir(directory).catch(() => undefined);
  if (alive !== 'refused') return;
  if ((await answers(path.join(directory, SERVER, `.s.PGSQL.${PORT}`))) === 'yes') return;
  await rm(directory, REMOVE).catch(() => undefined);
}

function listen(server: Server, socket: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    // It is bound before this returns.
    server.listen(socket, () => resolve());
    server.unref();
  });
}

function answers(socket: string): Promise<'yes' | 'refused' | 'absent' | 'unknown'> {
  return new Promise((resolve) => {
    const connection = connect(socket, () => {
      connection.destroy();
      resolve('yes');
    });
    connection.once('error', ({ code = '' }: NodeJS.ErrnoException) => resolve(FAILURES[code] ?? 'unknown'));
  });
}
