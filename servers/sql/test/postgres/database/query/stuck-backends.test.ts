import { afterEach, describe, expect, it, vi } from 'vitest';

import { StuckBackends } from '../../../../src/postgres/database/pool/stuck-backends.ts';
import { failureOf } from '../../../fixtures/failure-of.ts';
import { codeOf, GONE, useDatabase } from '../../../fixtures/postgres.ts';

/**
 * A statement whose backend process the tests stop. Like a backend that evaluates an expression, a stopped backend reacts to
 * neither timeouts nor signals. On a busy machine, stopping the process can take seconds, and the statement must not end before.
 */
const SLEEP = { sql: 'select pg_sleep(600)', timeout_ms: 10_000 };
const ONE = { sql: 'select 1' };
/** A statement that takes a minute on a fast machine and cannot be interrupted. */
const BOMB = `select ${Array.from({ length: 1500 }, () => 'x*x').join('-')} from (select 9.9::numeric^60000 as x offset 0) q`;

const database = useDatabase({ sql: 'grant pg_signal_backend to mcp_ro' });
const stopped = new Set<number>();
const ending = new Set<number>();

afterEach(async () => {
  for (const pid of stopped) resume(pid);
  // The backends have to end before the next test, which could otherwise mistake one of the backends for its own.
  await vi.waitUntil(async () => (await findBackends([...ending])).length === 0, GONE);
  ending.clear();
});

function findBackends(pids: readonly number[]): Promise<readonly unknown[]> {
  return database.asSuperuser(`select pid from pg_stat_activity where pid = any('{${pids.join()}}')`);
}

/** Stops the process of a sleeping backend that is not stopped yet. */
async function stopSleeper(): Promise<number> {
  const find = async (): Promise<number | undefined> => {
    const rows = await database.asSuperuser("select pid from pg_stat_activity where wait_event = 'PgSleep'");
    return rows.map(([pid]) => Number(pid)).find((pid) => !stopped.has(pid));
  };
  const pid = await vi.waitUntil(find, GONE);
  process.kill(pid, 'SIGSTOP');
  stopped.add(pid);
  return pid;
}

function resume(pid: number): void {
  stopped.delete(pid);
  ending.add(pid);
  process.kill(pid, 'SIGCONT');
}

describe('a backend that ignores cancel and termination', { timeout: 90_000 }, () => {
  it('ends its call with TIMEOUT, is not replaced, and frees its connection when it ends', async () => {
    await using session = await database.connect({ maxConnections: 2 });
    const failing = [failureOf(session, 'query', SLEEP), failureOf(session, 'query', SLEEP)];
    const pids = [await stopSleeper(), await stopSleeper()] as const;
    for (const failed of await Promise.all(failing))
      expect(failed).toMatchObject({
        code: 'TIMEOUT',
        text: expect.stringContaining('still computing'),
        data: { running: true, retryable: false },
      });
    expect(await failureOf(session, 'query', ONE)).toMatchObject({
      code: 'OVERLOADED',
      text: expect.stringMatching(
        /statements that the database server does not stop use every connection \(2\)\n.*--max-connections/,
      ),
      data: { retryable: true, backends: expect.arrayContaining([...pids]) },
    });
    resume(pids[0]);
    await vi.waitFor(async () => expect(await codeOf(session, 'query', ONE)).toBe('runs'), GONE);
    // The other stopped backend still occupies one of the two connections. All queries use the free one.
    expect(await Promise.all([1, 2, 3].map(() => codeOf(session, 'query', ONE)))).toEqual(['runs', 'runs', 'runs']);
    resume(pids[1]);
  });

  it('keeps its connection when its call is cancelled', async () => {
    await using session = await database.connect({ maxConnections: 1, connectTimeout: 1000 });
    const stop = new AbortController();
    const cancelled = session.client.callTool({ name: 'query', arguments: SLEEP }, { signal: stop.signal });
    const pid = await stopSleeper();
    stop.abort();
    await expect(cancelled).rejects.toThrow();
    await vi.waitFor(async () => {
      expect(await failureOf(session, 'query', ONE)).toMatchObject({ code: 'OVERLOADED', data: { backends: [pid] } });
    }, GONE);
    resume(pid);
    await vi.waitFor(async () => expect(await codeOf(session, 'query', ONE)).toBe('runs'), GONE);
  });

  it('does not prevent the server from ending', async () => {
    const session = await database.connect({ maxConnections: 1 });
    const failing = codeOf(session, 'query', SLEEP);
    await stopSleeper();
    expect(await failing).toBe('TIMEOUT');
    await session[Symbol.asyncDispose]();
  });

  it('reports that a write is not committed', async () => {
    const confirms = { answers: { elicitation: { confirm: true } } };
    const given = { url: database.url('superuser'), allowPrivilegedRole: true, writable: true };
    await using session = await database.connect(given, undefined, confirms);
    const failing = failureOf(session, 'execute', SLEEP);
    const pid = await stopSleeper();
    expect(await failing).toMatchObject({
      code: 'TIMEOUT',
      text: expect.stringContaining('nothing will be changed'),
      data: { committed: false, running: true },
    });
    resume(pid);
  });

  it('is prevented by the policy if it multiplies long numbers, and ends with TIMEOUT without a policy', async () => {
    await using checked = await database.connect({ policy: 'strict' });
    expect(await failureOf(checked, 'query', { sql: BOMB })).toMatchObject({
      code: 'POLICY_DENIED',
      data: { rule: 'numeric-cost', option: '--policy off' },
    });
    await using session = await database.connect({ maxConnections: 1 });
    expect(await codeOf(session, 'query', { sql: BOMB, timeout_ms: 1000 })).toBe('TIMEOUT');
    expect(await codeOf(session, 'query', ONE)).toBe('OVERLOADED');
  });

  it('is reported without a hint at --max-connections if the number of connections is fixed', () => {
    const refuse = (isFixed: boolean): void => new StuckBackends().requireFreeConnection({ maxConnections: 0, isFixed });
    expect(() => refuse(false)).toThrow(expect.objectContaining({ hint: expect.stringContaining('--max-connections') }));
    expect(() => refuse(true)).toThrow(expect.objectContaining({ hint: expect.not.stringContaining('--max-connections') }));
  });
});
