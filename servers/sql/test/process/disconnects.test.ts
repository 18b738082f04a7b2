import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { StreamableHTTPClientTransport as HttpTransport } from '@modelcontextprotocol/client';
import { connectHttp, startProgram, type Session } from '@org/mcp-testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { CONFIRMS, useApp } from '../fixtures/app.ts';
import { GONE } from '../fixtures/postgres.ts';

const database = useApp(`
  create function app.slow(id int) returns int immutable language plpgsql as $$ begin perform pg_sleep(0.02); return id; end $$;
  create table app.ground as select g as id from generate_series(1, 50000) g;
  alter table app.ground owner to app;
`);

let state = '';
beforeAll(async () => {
  state = await mkdtemp(path.join(tmpdir(), 'state-'));
});
afterAll(() => rm(state, { recursive: true, force: true }));

const ROWS = 'select app.slow(g) from generate_series(1, 1000000) g';

const CALLS = [
  ['query', { sql: 'select pg_sleep(600)' }],
  ['query', { sql: ROWS, keep: true }],
  ['export', { sql: ROWS }],
  ['execute', { sql: 'create index on ground (slow(id))' }],
] as const;

/** Returns the number of connections of a server. The connections of concurrent tests have different names. */
async function connections(name: string, where = 'true'): Promise<number> {
  return (await database.asSuperuser(`select from pg_stat_activity where application_name = '${name}' and ${where}`)).length;
}

async function working(name: string, calls: number, timeout: number = GONE.timeout): Promise<void> {
  await vi.waitUntil(async () => (await connections(name, "state = 'active'")) === calls, { ...GONE, timeout });
}

/** Returns options for a server whose connections have this name. */
function named(name: string): { readonly url: string; readonly stateDir: string } {
  return { url: `${database.appUrl()}&application_name=${name}`, stateDir: path.join(state, name) };
}

function transportOf({ client }: Session): HttpTransport {
  if (client.transport instanceof HttpTransport) return client.transport;
  throw new TypeError('the session is not on HTTP');
}

describe.concurrent('queries, exports and index builds of a disconnected client', () => {
  it.each([
    ['a closed stream', { era: 'modern' }, (transport: HttpTransport) => transport.close(), 0],
    ['the end of a session', { era: 'legacy' }, (transport: HttpTransport) => transport.terminateSession(), 0],
    // A client can resume the session until `sessionIdle` has passed. Only then are the queries ended.
    ['a session left', { era: 'legacy', sessionIdle: 1500 }, (transport: HttpTransport) => transport.close(), 3000],
  ] as const)('are ended in the database by %s', async (means, options, leave, patience) => {
    const name = means.replaceAll(' ', '-');
    {
      await using session = await connectHttp(database.serverAsApp(named(name)), { ...CONFIRMS, ...options });
      const ended = CALLS.map(([tool, args]) => session.start(tool, args).result.catch(() => 'aborted'));
      await working(name, CALLS.length, 10_000);
      await leave(transportOf(session));
      await working(name, 0, GONE.timeout + patience);
      await session.client.close();
      expect(await Promise.all(ended)).toEqual(CALLS.map(() => 'aborted'));
    }
    await vi.waitUntil(async () => (await connections(name)) === 0, { interval: 10 });
  });

  it('are ended in the database when the end of the input ends the program', async () => {
    await using program = startProgram(database.programAsApp(named('program')));
    const send = (message: object): void => void program.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'leaving', version: '1' } };
    send({ id: 'open', method: 'initialize', params });
    await program.stdout.next();
    send({ method: 'notifications/initialized' });
    const reads = CALLS.filter(([name]) => name !== 'execute');
    for (const [id, [name, args]] of reads.entries()) send({ id, method: 'tools/call', params: { name, arguments: args } });
    await working('program', reads.length, 10_000);
    program.stdin.end();
    await working('program', 0);
    expect(await program.ended).toMatchObject({ code: 0 });
    expect(program.stdout.all.filter((line) => line.includes('The server is closing'))).toHaveLength(reads.length);
    expect(await connections('program')).toBe(0);
  });
});
