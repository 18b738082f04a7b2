import { chown, cp, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import path from 'node:path';

import { stateDirectoryOf } from '@org/mcp-host';

import { serverAccount } from '../../src/database/embedded/account.ts';
import { locateNative, prepareBinaries, type Binaries } from '../../src/database/embedded/binaries.ts';
import { createCluster, type Cluster } from '../../src/database/embedded/cluster.ts';
import { RunDirectory } from '../../src/database/embedded/run-directory.ts';
import { Template } from '../../src/database/embedded/template.ts';
import { WatchedServer } from '../../src/database/embedded/watched-server.ts';

/** A PostgreSQL on a port of this machine that can be stopped and started again. */
export class NetworkServer implements AsyncDisposable {
  readonly port: number;
  readonly #run: RunDirectory;
  readonly #binaries: Binaries;
  readonly #cluster: Cluster;
  #server: WatchedServer | undefined;

  private constructor(
    run: RunDirectory,
    made: { readonly binaries: Binaries; readonly cluster: Cluster; readonly port: number },
  ) {
    this.#run = run;
    this.#binaries = made.binaries;
    this.#cluster = made.cluster;
    this.port = made.port;
  }

  static async create(): Promise<NetworkServer> {
    const account = serverAccount();
    const run = RunDirectory.create(account);
    const binaries = await prepareBinaries(locateNative(), run.server, account);
    const directory = path.join(run.server, 'data');
    const template = new Template(stateDirectoryOf('mcp-sql', {}), { sample: false, writable: false });
    const cluster = (await template.copyTo(directory)) ?? (await createCluster(directory, binaries, account));
    return new NetworkServer(run, { binaries, cluster, port: await freePort() });
  }

  async start(settings: Readonly<Record<string, string>> = {}): Promise<void> {
    const all = { ...SETTINGS, ...settings, unix_socket_directories: this.#run.server, port: String(this.port) };
    const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    this.#server = WatchedServer.spawn({
      command: [this.#binaries.postgres, '-D', this.#cluster.directory, ...flags],
      env: { ...this.#binaries.env, LC_ALL: 'C', PATH: '/usr/bin:/bin' },
      account: serverAccount(),
      // It is started again: its directory outlives it.
      temporary: path.join(this.#run.path, 'nothing'),
    });
    await this.#server.ready;
  }

  async stop(): Promise<void> {
    await this.#server?.stop();
    this.#server = undefined;
  }

  /** Puts a file where the server can read it, and others cannot; its path there. */
  async adopt(file: string): Promise<string> {
    const adopted = path.join(this.#run.server, path.basename(file));
    await cp(file, adopted);
    return this.#own(adopted);
  }

  /** Says who may connect and how, in the form of `pg_hba.conf`. */
  async admit(rules: string): Promise<void> {
    await writeFile(path.join(this.#cluster.directory, 'pg_hba.conf'), rules);
  }

  /** A URL of the superuser. */
  url({ host = '127.0.0.1', parameters = '' }: { readonly host?: string; readonly parameters?: string } = {}): string {
    return `postgres://postgres:${this.#cluster.password}@${host}:${this.port}/postgres${parameters}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await this.#run[Symbol.asyncDispose]();
  }

  async #own(file: string): Promise<string> {
    const account = serverAccount();
    if (account !== undefined) await chown(file, account.uid, account.gid);
    return file;
  }
}

const SETTINGS = { listen_addresses: '127.0.0.1', fsync: 'off', shared_buffers: '16MB' };

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
