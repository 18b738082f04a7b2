import { fileURLToPath } from 'node:url';

import { connectProcess, runProgram, type Session } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { useDatabase } from '../../../fixtures/postgres.ts';

const database = useDatabase({ sql: `create role known login password 'hunter2'` });

const BIN = fileURLToPath(new URL('../../../../bin/mcp-sql.js', import.meta.url));

/** URLs that contain the password hunter2 in different ways, and to which no connection is possible. */
const SOURCES: readonly (readonly [name: string, url: () => string])[] = [
  ['a wrong password', () => database.url().replace(/\/\/[^@]*@/, '//nobody:hunter2@')],
  ['a missing database', () => database.url().replace(/\/\/[^@]*@\/\w+/, '//known:hunter2@/missing')],
  ['a closed port', () => 'postgres://known:hunter2@127.0.0.1:1/db'],
  ['an unknown host', () => 'postgres://known:hunter2@nowhere.invalid/db'],
  ['a password in the query parameters', () => 'postgres://127.0.0.1:1/db?user=known&password=hunter2'],
  ['an encoded password', () => 'postgres://known:%68unter2@127.0.0.1:1/db'],
];

async function collectOutput(session: Session): Promise<string> {
  const calls = ['query', 'list_databases', 'describe'].map((name) =>
    session.client.callTool({ name, arguments: { sql: 'select 1', object: 'x' } }),
  );
  const reads = ['server://info', 'pg://db/settings'].map((uri) => session.client.readResource({ uri }).catch(String));
  return JSON.stringify(await Promise.all([...calls, ...reads]));
}

describe.concurrent.each(SOURCES)('a source with %s', (_, url) => {
  it('does not expose its password in tools, resources, check or the log', async () => {
    {
      await using session = await database.connect({ url: url() });
      expect(await collectOutput(session)).not.toMatch(/hunter2|%68unter2/);
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
  it('does not expose its password in server://info', async () => {
    await using session = await connectProcess({
      command: process.execPath,
      args: [BIN, 'postgres://known:hunter2@127.0.0.1:1/db'],
    });
    const output = await collectOutput(session);
    expect(output).toContain('ECONNREFUSED');
    expect(output).toContain('server://info');
    expect(output).not.toContain('hunter2');
  });
});
