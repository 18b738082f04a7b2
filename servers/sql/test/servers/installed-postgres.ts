import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir } from 'node:fs/promises';
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

/** Why tests on a Turkish database are skipped: its locale is made of what Debian's package `locales` installs. */
export const NO_TURKISH: string | undefined =
  NO_DEBIANS ?? (existsSync('/usr/share/i18n/locales/tr_TR') ? undefined : 'locales is not installed');

const TURKISH = 'tr_TR.ISO-8859-9';

/** A PostgreSQL 15 as Debian builds it, with the sample; on a socket in a private directory. */
export async function startDebians(): Promise<StartedServer> {
  return start(['--encoding=UTF8', '--locale=C'], () => Promise.resolve({}));
}

/** The same, whose database has the encoding LATIN5 and the rules of Turkish. */
export async function startTurkish(): Promise<StartedServer> {
  return start(['--encoding=LATIN5', `--locale=${TURKISH}`], async (directory) => {
    await mkdir(directory);
    await promisify(execFile)('localedef', ['-i', 'tr_TR', '-f', 'ISO-8859-9', `${directory}/${TURKISH}`]);
    await chmod(directory, 0o755);
    return { LOCPATH: directory };
  });
}

async function start(
  options: readonly string[],
  prepare: (directory: string) => Promise<Readonly<Record<string, string>>>,
): Promise<StartedServer> {
  const account = serverAccount();
  const run = RunDirectory.create(account);
  const directory = `${run.server}/data`;
  const env = { PATH: '/usr/bin:/bin', ...(await prepare(`${run.server}/locale`)) };
  const initdb = ['--username=postgres', '--auth=trust', ...options, '--lc-messages=C', '--no-sync', '-D', directory];
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
