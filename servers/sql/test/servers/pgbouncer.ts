import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';

import type { ClientConfig } from 'pg';

import { serverAccount } from '../../src/database/embedded/account.ts';

/** Where Debian's package installs it. */
const PGBOUNCER = '/usr/sbin/pgbouncer';

/** Why tests behind PgBouncer are skipped; nothing where it is installed. */
export const NO_PGBOUNCER: string | undefined = existsSync(PGBOUNCER) ? undefined : 'pgbouncer is not installed';

/** A PgBouncer in transaction mode with its defaults, on a socket in a directory of its own. */
export interface PgBouncer extends AsyncDisposable {
  /** Everybody is the reader. */
  readonly url: string;
}

/** `servers`: connections to the database at most. */
export async function startPgBouncer(reader: ClientConfig, servers: number): Promise<PgBouncer> {
  const account = serverAccount();
  const directory = await mkdtemp(path.join(tmpdir(), 'pooled-'));
  const ini = path.join(directory, 'pgbouncer.ini');
  await writeFile(ini, configuration(reader, { directory, servers }));
  await chmod(directory, 0o755);
  if (account !== undefined) await chown(directory, account.uid, account.gid);
  const pooler = spawn(PGBOUNCER, [ini], { stdio: ['ignore', 'ignore', 'pipe'], cwd: '/', ...account });
  await up(pooler.stderr);
  return {
    url: `postgres://anyone@/pooled?host=${directory}&port=${PORT}`,
    [Symbol.asyncDispose]: async () => {
      if (pooler.kill('SIGKILL')) await once(pooler, 'exit');
      await rm(directory, { recursive: true, force: true });
    },
  };
}

const PORT = 6432;

function configuration(
  { host, port, user, password, database }: ClientConfig,
  { directory, servers }: { readonly directory: string; readonly servers: number },
): string {
  return `
    [databases]
    pooled = host=${host} port=${port} dbname=${database} user=${user} password=${String(password)}
    [pgbouncer]
    pool_mode = transaction
    auth_type = any
    listen_port = ${PORT}
    unix_socket_dir = ${directory}
    default_pool_size = ${servers}
  `.replaceAll(/^ +/gm, '');
}

function up(stderr: NodeJS.ReadableStream): Promise<void> {
  return new Promise((resolve, reject) => {
    let words = '';
    // It is read to its end: PgBouncer does not survive a closed pipe.
    createInterface({ input: stderr })
      .on('line', (line) => {
        words = line;
        if (line.includes('process up')) resolve();
      })
      .once('close', () => reject(new Error(`PgBouncer did not start: ${words}`)));
  });
}
