import { fileURLToPath } from 'node:url';

import { connect, connectHttp, startProgram, type Session } from '@org/mcp-testing';
import { describe, expect, it, vi } from 'vitest';

import { PostgresServer, type PostgresOptions } from '../../src/index.ts';
import { codeOf, optionsWith, useDatabase } from '../fixtures/postgres.ts';

const database = useDatabase({ sample: true });

const BIN = fileURLToPath(new URL('../../bin/mcp-sql.js', import.meta.url));

/** A server with a log that a test can read. */
class LoggedServer extends PostgresServer {
  readonly lines: string[] = [];

  override open(): Promise<void> {
    const log = (line: string): void => void this.lines.push(line);
    return super.open({ info: log, warning: log, audit: log });
  }
}

async function audited(
  given: Partial<PostgresOptions>,
  work: (session: Session) => Promise<unknown>,
  join: (server: object) => Promise<Session> = connect,
): Promise<readonly string[]> {
  const server = new LoggedServer(optionsWith({ url: database.url(), ...given }));
  const session = await join(server);
  try {
    await work(session);
  } finally {
    await session[Symbol.asyncDispose]();
  }
  return server.lines;
}

describe('the audit', () => {
  it.each([
    ['memory', connect],
    ['HTTP', connectHttp],
  ])('logs one line per call, by %s', async (_, join) => {
    const lines = await audited(
      {},
      async (session) => {
        await session.text('query', { sql: 'select name from shop.customers where id = 17', database: 'postgres' });
        await session.text('query', { sql: 'select name from shop.customers where id = 4711' });
        await session.text('describe', { object: 'shop.customers' });
        await session.client.readResource({ uri: 'pg://postgres/shop/customers' });
      },
      join,
    );
    expect(lines).toEqual([
      expect.stringMatching(/^audit tool query database=postgres fingerprint=[0-9a-f]{16} outcome=ok ms=\d+$/),
      expect.stringMatching(/^audit tool query fingerprint=[0-9a-f]{16} outcome=ok ms=\d+$/),
      expect.stringMatching(/^audit tool describe outcome=ok ms=\d+$/),
      expect.stringMatching(/^audit resource table database=postgres outcome=ok ms=\d+$/),
    ]);
    const [first, second] = lines.map((line) => /fingerprint=(\w+)/.exec(line)?.[1]);
    expect(first).toBe(second);
  });

  it.each<readonly [what: string, sql: string, fingerprint: RegExp, outcome: string]>([
    ['a literal', `select 'hunter2'`, /^[0-9a-f]{16}$/, 'ok'],
    ['a rejected statement', `select pg_read_file('hunter2')`, /^[0-9a-f]{16}$/, 'POLICY_DENIED'],
    ['a failing statement', 'select 1 from hunter2', /^[0-9a-f]{16}$/, 'UNDEFINED_OBJECT'],
    ['a text that is not valid SQL', `selec 'hunter2'`, /^none$/, 'SYNTAX'],
    ['a statement that would stall the parser', `select 1 ${'+'.repeat(4000)} 'hunter2'`, /^none$/, 'TOO_LARGE'],
    ['a deeply nested statement', `select ${'array['.repeat(5000)}'hunter2'${']'.repeat(2000)}`, /^none$/, 'TOO_LARGE'],
    ['a long statement', `select 'hunter2${'x'.repeat(40_000)}'`, /^too-long$/, 'ok'],
  ])('does not contain the text of %s', async (_, sql, fingerprint, outcome) => {
    const [line = '', ...more] = await audited({}, (session) => codeOf(session, 'query', { sql }));
    expect(more).toEqual([]);
    const facts = /^audit tool query fingerprint=(\S+) outcome=(\S+) ms=\d+$/.exec(line);
    expect(facts?.[1]).toMatch(fingerprint);
    expect(facts?.[2]).toBe(outcome);
    expect(line).not.toContain('hunter2');
  });

  it('does not contain the id of a missing database', async () => {
    const named = 'x outcome=ok\naudit tool query';
    const [line] = await audited({}, (session) => codeOf(session, 'query', { sql: 'select 1', database: named }));
    expect(line).toMatch(/^audit tool query fingerprint=\w+ outcome=[A-Z_]+ ms=\d+$/);
  });

  it('logs a cancelled call', async () => {
    const server = new LoggedServer(optionsWith({ url: database.url(), policy: 'off' }));
    await using session = await connect(server);
    const call = session.start('query', { sql: 'select pg_sleep(600)' });
    await call.progress.next();
    call.cancel();
    await vi.waitUntil(() => server.lines.some((line) => line.includes('outcome=cancelled')));
  });

  it('is not written at the log level warning', async () => {
    expect(await audited({ logLevel: 'warning' }, (session) => session.text('query', { sql: 'select 1' }))).toEqual([]);
  });

  it('logs all calls of a burst, also in a process', { timeout: 60_000 }, async () => {
    const BURST = 1200;
    const lines = await audited({}, (session) => burst(session, BURST));
    expect(lines).toHaveLength(BURST);
    expect(new Set(lines.map((line) => /fingerprint=(\w+)/.exec(line)?.[1])).size).toBe(1);
    await using program = startProgram({ command: process.execPath, args: [BIN, database.url()] });
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } };
    const send = (message: object): void => void program.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    send({ id: 0, method: 'initialize', params });
    send({ method: 'notifications/initialized' });
    for (let id = 1; id <= BURST; id += 1)
      send({ id, method: 'tools/call', params: { name: 'query', arguments: { sql: `select ${id}` } } });
    // The answer to initialize is included in the count.
    for (let answers = 0; answers <= BURST; answers += 1) await program.stdout.next((line) => line.includes('"id":'));
    program.stdin.end();
    const { stderr } = await program.ended;
    expect(stderr.match(/ info audit tool query /g)).toHaveLength(BURST);
  });
});

/** Sends concurrent calls. Calls beyond the limit of waiting calls are rejected, and are audited like all other calls. */
async function burst({ client }: Session, calls: number): Promise<void> {
  const numbers = Array.from({ length: calls }, (_, n) => n);
  await Promise.all(numbers.map((n) => client.callTool({ name: 'query', arguments: { sql: `select ${n}` } })));
}
