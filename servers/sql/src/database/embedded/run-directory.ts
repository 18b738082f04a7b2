import { chmod, chown, lstat, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

import type { Account } from './account.ts';

const PREFIX = 'mcp-sql-';
/** A socket that this process listens on: once it died, by whatever signal, connecting is refused. */
const ALIVE = 'alive';
const SERVER = 'server';
const PORT = 5432;

/** A private directory that belongs to one process and its embedded server, and goes with them. */
export class RunDirectory implements AsyncDisposable {
  readonly path: string;
  /** Where the embedded server may write; its socket is here. */
  readonly server: string;
  readonly #alive: Server;

  private constructor(directory: string, alive: Server) {
    this.path = directory;
    this.server = path.join(directory, SERVER);
    this.#alive = alive;
  }

  static async create(account: Account | undefined): Promise<RunDirectory> {
    const directory = await mkdtemp(path.join(tmpdir(), PREFIX));
    const run = new RunDirectory(directory, await listen(path.join(directory, ALIVE)));
    await mkdir(run.server, { mode: 0o700 });
    if (account !== undefined) {
      await chown(run.server, account.uid, account.gid);
      await chmod(directory, 0o711);
    }
    return run;
  }

  get port(): number {
    return PORT;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await new Promise((resolve) => this.#alive.close(resolve));
    await rm(this.path, { recursive: true, force: true });
  }
}

/** Removes what processes left behind that were killed together with their watchdog. */
export async function removeStale(): Promise<void> {
  const names = await readdir(tmpdir());
  await Promise.all(names.filter((name) => name.startsWith(PREFIX)).map((name) => removeIfStale(path.join(tmpdir(), name))));
}

async function removeIfStale(directory: string): Promise<void> {
  const facts = await lstat(directory).catch(() => undefined);
  // In a shared temporary directory others may plant names and links.
  if (facts === undefined || !facts.isDirectory() || facts.uid !== process.geteuid?.()) return;
  if ((await answers(path.join(directory, ALIVE))) !== 'refused') return;
  if ((await answers(path.join(directory, SERVER, `.s.PGSQL.${PORT}`))) === 'yes') return;
  await rm(directory, { recursive: true, force: true }).catch(() => undefined);
}

function listen(socket: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((connection) => connection.destroy());
    server.once('error', reject);
    server.listen(socket, () => resolve(server.unref()));
  });
}

function answers(socket: string): Promise<'yes' | 'refused' | 'unknown'> {
  return new Promise((resolve) => {
    const connection = connect(socket, () => {
      connection.destroy();
      resolve('yes');
    });
    connection.once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'ECONNREFUSED' ? 'refused' : 'unknown'));
  });
}
