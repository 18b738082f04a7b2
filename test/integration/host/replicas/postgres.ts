import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const PROGRAMS = '/usr/lib/postgresql/15/bin';

/** Whether the Debian package `postgresql-15` is installed on this machine. */
export const HAS_POSTGRES: boolean = existsSync(join(PROGRAMS, 'postgres'));

/** PostgreSQL refuses to run as root, so the tests use an unprivileged account (uid 65534). */
const ACCOUNT = process.geteuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** Starts a PostgreSQL server on a Unix socket. */
export async function startPostgres(): Promise<{ readonly url: string } & AsyncDisposable> {
  const directory = mkdtempSync(join(tmpdir(), 'mcp-several-'));
  if (ACCOUNT.uid !== undefined) chownSync(directory, ACCOUNT.uid, ACCOUNT.gid);
  const options = { cwd: directory, env: { LC_ALL: 'C' }, ...ACCOUNT };
  const data = join(directory, 'data');
  execFileSync(join(PROGRAMS, 'initdb'), ['-D', data, '-U', 'postgres', '--auth=trust', '--no-sync'], {
    ...options,
    stdio: 'pipe',
  });
  const settings = ['listen_addresses=', `unix_socket_directories=${directory}`, 'fsync=off'].flatMap((each) => ['-c', each]);
  const server = spawn(join(PROGRAMS, 'postgres'), ['-D', data, ...settings], options);
  for await (const line of createInterface(server.stderr)) if (line.includes('ready to accept connections')) break;
  server.stderr.resume();
  return {
    url: `postgres://postgres@/postgres?host=${encodeURIComponent(directory)}`,
    async [Symbol.asyncDispose]() {
      server.kill('SIGINT');
      await once(server, 'close');
      rmSync(directory, { recursive: true });
    },
  };
}
