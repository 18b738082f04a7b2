import { createServer } from 'node:net';
import { once } from 'node:events';

import { UsageError } from '@org/mcp-host';
import { ERAS } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { PostgresServer } from '../../../../src/index.ts';
import { optionsWith, useDatabase } from '../../../fixtures/postgres.ts';

const database = useDatabase({
  sql: `
    create role bypass login bypassrls password 'x';
    create role files login password 'x';
    create role indirect login password 'x';
    grant pg_read_server_files to files;
    grant files to indirect;
  `,
});

function urlWithRole(role: string, password = 'x'): string {
  return database.url().replace(/\/\/.*@/, `//${role}:${password}@`);
}

describe.each(ERAS)('a source given by URL, on a %s connection,', (era) => {
  it.each([
    ['a superuser', () => database.url('superuser'), 'superuser'],
    ['a role that bypasses row security', () => urlWithRole('bypass'), 'bypasses row security'],
    ['a role that reads server files', () => urlWithRole('files'), 'reads server files'],
    ['a member of a role that reads server files', () => urlWithRole('indirect'), 'reads server files'],
  ])('rejects %s, unless --allow-privileged-role is set', async (_, url, reason) => {
    await using refused = await database.connect({ url: url() }, era);
    for (const [name, args] of [
      ['query', { sql: 'select 1' }],
      ['list_databases', {}],
      ['describe', { object: 'pg_class' }],
    ] as const)
      expect(await refused.fails(name, args)).toMatch(new RegExp(`^POLICY_DENIED: .*${reason}.*\n.*--allow-privileged-role`));
    await using allowed = await database.connect({ url: url(), allowPrivilegedRole: true }, era);
    expect(await allowed.text('query', { sql: 'select 1' })).toContain('1 row');
  });
});

describe('a source that cannot be used', () => {
  it.each([
    ['a wrong password', () => urlWithRole('bypass', 'hunter2'), /^CONNECTION: password authentication failed for user "bypass"/],
    ['a missing role', () => urlWithRole('nobody', 'hunter2'), /^CONNECTION: password authentication failed/],
    ['a missing database', () => database.url().replace('/postgres?', '/nope?'), /^CONNECTION: database "nope" does not exist/],
    ['a closed port', () => 'postgres://u:hunter2@127.0.0.1:1/db', /^CONNECTION: .*ECONNREFUSED/],
    ['a missing socket', () => 'postgres://u:hunter2@/db?host=/nope', /^CONNECTION: .*ENOENT/],
    ['an unknown host', () => 'postgres://u:hunter2@nope.invalid/db', /^CONNECTION: .*(ENOTFOUND|EAI_AGAIN)/],
  ])('is reported without its password: %s', async (_, url, message) => {
    await using session = await database.connect({ url: url() });
    const text = await session.fails('query', { sql: 'select 1' });
    expect(text).toMatch(message);
    expect(text).not.toContain('hunter2');
    expect(await session.fails('list_databases')).toMatch(message);
  });

  it('is reported if it closes the connection', async () => {
    const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    await using session = await database.connect({ url: `postgres://u:hunter2@127.0.0.1:${port}/db` });
    expect(await session.fails('query', { sql: 'select 1' })).toMatch(/^CONNECTION/);
    server.close();
  });
});

describe('the options', () => {
  it.each([
    ['text', { url: 'hunter2' }],
    ['a URL of another database', { url: 'mysql://u:hunter2@h/db' }],
    ['an invalid URL', { url: 'postgres://u:hunter2@[/db' }],
    ['sample data for a database given by URL', { url: 'postgres://u:hunter2@h/db', sample: true }],
    ['a data directory for a database given by URL', { url: 'postgres://u:hunter2@h/db', dataDir: '/x' }],
  ])('reject %s, without repeating the password', async (_, given) => {
    const server = new PostgresServer(optionsWith(given));
    const refused: unknown = await server.open().catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(UsageError);
    expect(String(refused)).not.toContain('hunter2');
  });
});

describe('diagnose', () => {
  it('reports the database and the role that reads it', async () => {
    const server = new PostgresServer(optionsWith({ url: database.url() }));
    await server.open();
    expect(await server.diagnose()).toEqual([
      { subject: 'database postgres', ok: true, detail: expect.stringMatching(/^PostgreSQL 18\.\S+, read-only as mcp_ro$/) },
    ]);
    await server[Symbol.asyncDispose]();
  });

  it('reports why a database cannot be used', async () => {
    const server = new PostgresServer(optionsWith({ url: database.url('superuser') }));
    await server.open();
    expect(await server.diagnose()).toEqual([
      { subject: 'database postgres', ok: false, detail: expect.stringContaining('superuser') },
    ]);
    await server[Symbol.asyncDispose]();
  });
});
