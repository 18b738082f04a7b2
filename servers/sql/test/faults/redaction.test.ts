import { fileURLToPath } from 'node:url';

import { connectProcess, runProgram, type Session } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { useDatabase } from '../postgres.ts';

const database = useDatabase({ sql: `create role known login password 'hunter2'` });

const BIN = fileURLToPath(new URL('../../bin/mcp-sql.js', import.meta.url));

/** URLs with the password hunter2 that fail in one way each. */
const SOURCES: readonly (readonly [name: string, url: () => string])[] = [
  ['a wrong password', () => database.url().replace(/\/\/[^@]*@/, '//nobody:hunter2@')],
  ['a database that is not there', () => database.url().replace(/\/\/[^@]*@\/\w+/, '//known:hunter2@/missing')],
  ['a port that nobody listens at', () => 'postgres://known:hunter2@127.0.0.1:1/db'],
  ['a host that is not there', () => 'postgres://known:hunter2@nowhere.invalid/db'],
  ['a password among the parameters', () => 'postgres://127.0.0.1:1/db?user=known&password=hunter2'],
  ['a password that is encoded', () => 'postgres://known:%68unter2@127.0.0.1:1/db'],
];

async function saidBy(session: Session): Promise<string> {
  const calls = ['query', 'list_databases', 'describe'].map((name) =>
    session.client.callTool({ name, arguments: { sql: 'select 1', object: 'x' } }),
  );
  const reads = ['server://info', 'pg://db/settings'].map((uri) => session.client.readResource({ uri }).catch(String));
  return JSON.stringify(await Promise.all([...calls, ...reads]));
}

describe.concurrent.each(SOURCES)('a source with %s', (_, url) => {
  it('is told without its password: by tools, resources, check and the log', async () => {
    {
      await using session = await database.connect({ url: url() });
      expect(await saidBy(session)).not.toMatch(/hunter2|%68unter2/);
    }
    const { stdout, stderr, code } = await runProgram({
      command: process.execPath,
      args: [BIN, 'check', url(), '--log-level', 'debug'],
    });
    expect(stdout + stderr).not.toMatch(/hunter2|%68unter2/);
    expect(code).toBe(1);
  });
});

describe('a program with a source that fails', () => {
  it('does not tell its password in server://info', async () => {
    await using session = await connectProcess({
      command: process.execPath,
      args: [BIN, 'postgres://known:hunter2@127.0.0.1:1/db'],
    });
    const said = await saidBy(session);
    expect(said).toContain('ECONNREFUSED');
    expect(said).toContain('server://info');
    expect(said).not.toContain('hunter2');
  });
});
