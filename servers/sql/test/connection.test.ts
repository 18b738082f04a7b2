import { createServer } from 'node:net';
import { once } from 'node:events';

import { UsageError } from '@org/mcp-host';
import { ERAS } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { PostgresServer } from '../src/index.ts';
import { optionsWith, useDatabase } from './postgres.ts';

const database = useDatabase({
  sql: `
    create role bypass login bypassrls password 'x';
    create role files login password 'x';
    create role indirect login password 'x';
    grant pg_read_server_files to files;
    grant files to indirect;
  `,
});

function urlOf(role: string, password = 'x'): string {
  return database.url().replace(/\/\/.*@/, `//${role}:${password}@`);
}

describe.each(ERAS)('a source given by URL, on a %s connection,', (era) => {
  it.each([
    ['a superuser', () => database.url('superuser'), 'superuser'],
    ['a role that bypasses row security', () => urlOf('bypass'), 'bypasses row security'],
    ['a role that reads server files', () => urlOf('files'), 'reads server files'],
    ['a role that may become such a one', () => urlOf('indirect'), 'reads server files'],
  ])('refuses %s, unless it is told to', async (_, url, reason) => {
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
    ['a wrong password', () => urlOf('bypass', 'hunter2'), /^CONNECTION: password authentication failed for user "bypass"/],
    ['a role that is not there', () => urlOf('nobody', 'hunter2'), /^CONNECTION: password authentication failed/],
    [
      'a database that is not there',
      () => database.url().replace('/postgres?', '/nope?'),
      /^CONNECTION: database "nope" does not exist/,
    ],
    ['a port where nobody listens', () => 'postgres://u:hunter2@127.0.0.1:1/db', /^CONNECTION: .*ECONNREFUSED/],
    ['a socket that is not there', () => 'postgres://u:hunter2@/db?host=/nope', /^CONNECTION: .*ENOENT/],
    ['a host that is not there', () => 'postgres://u:hunter2@nope.invalid/db', /^CONNECTION: .*(ENOTFOUND|EAI_AGAIN)/],
  ])('because of %s is explained, without its password', async (_, url, message) => {
    await using session = await database.connect({ url: url() });
    const text = await session.fails('query', { sql: 'select 1' });
    expect(text).toMatch(message);
    expect(text).not.toContain('hunter2');
    expect(await session.fails('list_databases')).toMatch(message);
  });

  it('because it hangs up is explained', async () => {
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
    ['a URL that cannot be read', { url: 'postgres://u:hunter2@[/db' }],
    ['a sample for a given database', { url: 'postgres://u:hunter2@h/db', sample: true }],
    ['a directory for a given database', { url: 'postgres://u:hunter2@h/db', dataDir: '/x' }],
  ])('refuse %s, without repeating the password', (_, given) => {
    const server = new PostgresServer(optionsWith(given));
    expect(() => server.open()).toThrow(UsageError);
    expect(() => server.open()).not.toThrow(/hunter2/);
  });
});

describe('diagnose', () => {
  it('tells what is read, and as whom', async () => {
    const server = new PostgresServer(optionsWith({ url: database.url() }));
    server.open();
    expect(await server.diagnose()).toEqual([
      { subject: 'database postgres', ok: true, detail: expect.stringMatching(/^PostgreSQL 18\.\S+, read-only as mcp_ro$/) },
    ]);
    await server[Symbol.asyncDispose]();
  });

  it('tells what is wrong', async () => {
    const server = new PostgresServer(optionsWith({ url: database.url('superuser') }));
    server.open();
    expect(await server.diagnose()).toEqual([
      { subject: 'database postgres', ok: false, detail: expect.stringContaining('superuser') },
    ]);
    await server[Symbol.asyncDispose]();
  });
});
