import { spawnSync } from 'node:child_process';
import { chmod, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { connectUrl, startProgram } from '@org/mcp-testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const EXAMPLE = fileURLToPath(new URL('../../examples/docker-compose/', import.meta.url));
const PROGRAM = fileURLToPath(new URL('../../servers/sql/bin/mcp-sql.js', import.meta.url));
const TOKEN = 'f'.repeat(64);
const PASSWORD = 'a password for this test';

let home = '';
let compose: { readonly services: Readonly<Record<string, Readonly<Record<string, unknown>>>>; readonly secrets: object };

beforeAll(async () => {
  home = await realpath(await mkdtemp(path.join(tmpdir(), 'compose-')));
  compose = parse(await readFile(path.join(EXAMPLE, 'compose.yaml'), 'utf8'));
});

afterAll(() => rm(home, { recursive: true, force: true }));

describe('the example for Docker Compose', () => {
  it('runs the server with a read-only file system, no capabilities and a port of this machine only', () => {
    expect(compose.services['mcp-sql']).toMatchObject({
      read_only: true,
      tmpfs: ['/tmp'],
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      ports: ['127.0.0.1:3000:3000'],
      depends_on: { database: { condition: 'service_healthy' } },
    });
    expect(compose.services['database']).not.toHaveProperty('ports');
    expect(Object.keys(compose.secrets)).toEqual(['admin', 'reader', 'tokens']);
  });

  it('creates the role by a script that a shell accepts', () => {
    expect(spawnSync('sh', ['-n', path.join(EXAMPLE, 'create-reader.sh')]).status).toBe(0);
  });

  // No container engine runs in the tests, so the program starts with the same options outside a container.
  it(
    'starts a healthy server with its options, which requires the token and offers the saved query',
    { timeout: 60_000 },
    async () => {
      await writeFile(path.join(home, 'tokens'), `ada ${TOKEN} read\n`, { mode: 0o600 });
      await writeFile(path.join(home, 'reader'), `${PASSWORD}\n`, { mode: 0o600 });
      await chmod(path.join(home, 'reader'), 0o600);
      const { command, environment } = compose.services['mcp-sql'] as { command: string[]; environment: Record<string, string> };
      const args = command.map((arg) =>
        arg
          .replace('0.0.0.0:3000', '127.0.0.1:0')
          .replace('/run/secrets/', `${home}/`)
          .replace('/queries', path.join(EXAMPLE, 'queries')),
      );
      expect(environment).toEqual({ MCP_SQL_URL: 'postgres://reader@database/shop' });
      const env = { MCP_SQL_URL: 'postgres://reader@127.0.0.1:1/shop', MCP_SQL_STATE_DIR: path.join(home, 'state') };
      await using running = startProgram({
        command: process.execPath,
        args: [PROGRAM, ...args],
        env,
      });
      const [, url = ''] =
        /(http:\/\/127\.0\.0\.1:(\d+)\/mcp)/.exec(await running.stderr.next((text) => text.includes('serves at'))) ?? [];
      expect((await fetch(url, { method: 'POST' })).status).toBe(401);
      expect((await fetch(new URL('/healthz', url))).status).toBe(200);
      await using session = await connectUrl(url, { token: TOKEN });
      expect(await session.fails('query', { sql: 'select 1' })).toMatch(/^CONNECTION/);
    },
  );
});
