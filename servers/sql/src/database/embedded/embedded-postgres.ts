import { randomBytes } from 'node:crypto';
import path from 'node:path';

import type { ClientConfig } from 'pg';

import { loadPg } from '../load-pg.ts';
import { READER } from '../role-sql.ts';
import { serverAccount, type Account } from './account.ts';
import { prepareBinaries, type Binaries } from './binaries.ts';
import { createCluster, keptCluster, type Cluster } from './cluster.ts';
import { RunDirectory, removeStale } from './run-directory.ts';
import { readerSql } from './reader.ts';
import { SAMPLE_SQL } from './sample.ts';
import { SCHEMA_NEWS_SQL } from './schema-news.ts';
import { Template } from './template.ts';
import { WatchedServer } from './watched-server.ts';
import { NO_WRITER_SQL, WRITER, writerSql } from './writer.ts';

/** How an embedded server is started. */
export interface EmbeddedOptions {
  /** The native package, from `locateNative`. */
  readonly native: string;
  /** Where the data is kept; without it the data is temporary. */
  readonly dataDir?: string | undefined;
  /** Fill it with the sample. */
  readonly sample?: boolean;
  /** Where temporary data have a template, from the first start on; without it, each start makes them anew. */
  readonly stateDirectory?: string;
  /** Settings of the server over ours. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Have a role that may write. */
  readonly writable?: boolean;
}

/** A PostgreSQL of our own: on a socket in a private directory, gone when this process is gone. */
export class EmbeddedPostgres implements AsyncDisposable {
  /** The role that queries run as. */
  readonly reader: ClientConfig;
  /** The role that owns what is written; it cannot log in unless the server was started writable. */
  readonly writer: ClientConfig;
  readonly superuser: ClientConfig;
  readonly #run: RunDirectory;
  readonly #server: WatchedServer;

  private constructor(run: RunDirectory, server: WatchedServer, superuser: ClientConfig) {
    this.#run = run;
    this.#server = server;
    this.superuser = superuser;
    this.reader = { ...superuser, user: READER, password: newPassword() };
    this.writer = { ...superuser, user: WRITER, password: newPassword() };
  }

  static async start(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
    const { dataDir, stateDirectory } = options;
    const isTemporary = dataDir === undefined && stateDirectory !== undefined;
    const template = isTemporary ? new Template(stateDirectory) : undefined;
    try {
      return await EmbeddedPostgres.#start(options, template);
    } catch (error) {
      if (template === undefined) throw error;
      // The template may be what is wrong.
      await template.remove();
      return EmbeddedPostgres.#start(options, undefined);
    }
  }

  static async #start(
    { native, dataDir, sample = false, writable = false, settings = {} }: EmbeddedOptions,
    template: Template | undefined,
  ): Promise<EmbeddedPostgres> {
    const account = serverAccount();
    const run = await RunDirectory.create(account);
    try {
      const [binaries] = await Promise.all([prepareBinaries(native, run.server, account), removeStale().catch(() => undefined)]);
      const create = template === undefined ? createCluster : template.createCluster.bind(template);
      const cluster = await (dataDir === undefined
        ? create(`${run.server}/data`, binaries, account)
        : keptCluster(path.resolve(dataDir), binaries, account));
      const server = await WatchedServer.start(
        serverCommand(run, { cluster, binaries, account, kept: dataDir !== undefined, settings }),
      );
      const embedded = new EmbeddedPostgres(run, server, configOf(run, cluster));
      await embedded.#prepare(sample, writable);
      return embedded;
    } catch (error) {
      await run[Symbol.asyncDispose]();
      throw error;
    }
  }

  async #prepare(sample: boolean, writable: boolean): Promise<void> {
    try {
      const { Client } = await loadPg();
      const client = new Client(this.superuser);
      await client.connect();
      try {
        await client.query(readerSql(String(this.reader.password)));
        if (sample) await client.query(SAMPLE_SQL);
        await client.query(`${writable ? writerSql(String(this.writer.password)) : NO_WRITER_SQL}${SCHEMA_NEWS_SQL}`);
      } finally {
        await client.end();
      }
    } catch (error) {
      await this.#server.stop();
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.stop();
    await this.#run[Symbol.asyncDispose]();
  }
}

function newPassword(): string {
  return randomBytes(24).toString('base64url');
}

interface Prepared {
  readonly cluster: Cluster;
  readonly binaries: Binaries;
  readonly account: Account | undefined;
  readonly kept: boolean;
  readonly settings: Readonly<Record<string, string>>;
}

function serverCommand(
  run: RunDirectory,
  { cluster, binaries, account, kept, settings: given }: Prepared,
): Parameters<typeof WatchedServer.start>[0] {
  const settings = { ...SETTINGS, unix_socket_directories: run.server, port: run.port, ...(!kept && TEMPORARY), ...given };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return {
    command: [binaries.postgres, '-D', cluster.directory, ...flags],
    env: { ...binaries.env, LC_ALL: 'C', PATH: '/usr/bin:/bin' },
    account,
    temporary: run.path,
  };
}

const SETTINGS = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: 120,
  shared_buffers: '64MB',
  wal_level: 'minimal',
  max_wal_senders: 0,
  logging_collector: 'off',
  lc_messages: 'C',
};

/** Data that does not outlive the process needs no protection from a crash. */
const TEMPORARY = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

function configOf(run: RunDirectory, { password }: Cluster): ClientConfig {
  return { host: run.server, port: run.port, user: 'postgres', database: 'postgres', password };
}
