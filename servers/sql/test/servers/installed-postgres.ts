import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';

import type { ClientConfig } from 'pg';

import { serverAccount } from '../../src/database/embedded/account.ts';
import { readerSql } from '../../src/database/embedded/reader.ts';
import { RunDirectory } from '../../src/database/embedded/run-directory.ts';
import { SAMPLE_SQL } from '../../src/database/embedded/sample.ts';
import { WatchedServer } from '../../src/database/embedded/watched-server.ts';
import { loadPg } from '../../src/database/load-pg.ts';
import { READER } from '../../src/database/role-sql.ts';
import type { StartedServer } from '../postgres.ts';

/** What Debian 12's package `postgresql-15` installs. */
const DEBIANS = '/usr/lib/postgresql/15/bin';

/** Why tests on Debian's PostgreSQL are skipped; nothing where it is installed. */
export const NO_DEBIANS: string | undefined = existsSync(`${DEBIANS}/postgres`) ? undefined : 'postgresql-15 is not installed';

/** A PostgreSQL 15 as Debian builds it, with the sample; on a socket in a private directory. */
export async function startDebians(): Promise<StartedServer> {
  const account = serverAccount();
  const run = RunDirectory.create(account);
  const directory = `${run.server}/data`;
  const env = { LC_ALL: 'C', PATH: '/usr/bin:/bin' };
  const initdb = ['--username=postgres', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync', '-D', directory];
  await promisify(execFile)(`${DEBIANS}/initdb`, initdb, { env, cwd: '/', ...account });
  const flags = [
    '-c',
    'listen_addresses=',
    '-c',
    `unix_socket_directories=${run.server}`,
    '-c',
    `port=${run.port}`,
    '-c',
    'fsync=off',
  ];
  const command = [`${DEBIANS}/postgres`, '-D', directory, ...flags];
  const server = WatchedServer.spawn({ command, env, account, temporary: run.path });
  await server.ready;
  const superuser = { host: run.server, port: run.port, user: 'postgres', password: 'trusted', database: 'postgres' };
  await fill(superuser);
  return {
    superuser,
    reader: { ...superuser, user: READER },
    [Symbol.asyncDispose]: async () => {
      await server.stop();
      await run[Symbol.asyncDispose]();
    },
  };
}

async function fill(superuser: ClientConfig): Promise<void> {
  const { Client } = await loadPg();
  const client = new Client(superuser);
  await client.connect();
  await client.query(readerSql('trusted'));
  await client.query(SAMPLE_SQL);
  await client.end();
}
