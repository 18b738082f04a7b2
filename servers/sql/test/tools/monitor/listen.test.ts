import type { Session } from '@org/mcp-testing';
import { describe, expect, it, vi } from 'vitest';

import { JOINED, useDatabase } from '../../fixtures/postgres.ts';

const database = useDatabase({});

const EXTRA = { tools: ['extra'] };
const LISTENERS = `select count(*) from pg_stat_activity where application_name = 'mcp-sql listen'`;

async function listeners(count: number): Promise<void> {
  await vi.waitUntil(async () => Number((await database.asSuperuser(LISTENERS))[0]?.[0]) === count);
}

type Listening = ReturnType<Session['start']>;

async function listening(session: Session, args: Readonly<Record<string, unknown>>): Promise<Listening> {
  const call = session.start('listen', args);
  expect(await call.progress.next()).toMatchObject({ message: 'listening' });
  return call;
}

describe.each(JOINED)('listen, by $name,', ({ join }) => {
  it('returns notifications that arrive after it reports that it listens', async () => {
    await using session = await join(database.server(EXTRA));
    const call = await listening(session, { channels: ['orders', 'Odd "one"'], max_notifications: 2 });
    await database.asSuperuser(`notify other, 'no'; notify orders, 'first'; notify "Odd ""one""", $$it's\n\`\`\`second$$`);
    const { structuredContent, content } = await call.result;
    expect(structuredContent).toMatchObject({
      notifications: [
        { channel: 'orders', payload: 'first', pid: expect.any(Number) },
        { channel: 'Odd "one"', payload: "it's\n```second" },
      ],
      ended: 'count',
    });
    expect(content).toMatchObject([{ text: expect.stringMatching(/^````csv\nchannel,payload,pid\norders,first,\d+\n/) }]);
    await listeners(0);
  });

  it('ends its session in the database when it is cancelled', async () => {
    await using session = await join(database.server(EXTRA));
    const call = await listening(session, { channels: ['orders'] });
    await listeners(1);
    call.cancel('enough');
    await expect(call.result).rejects.toThrow('enough');
    await listeners(0);
  });
});

describe('listen', () => {
  it('returns the received notifications when the time limit is reached', async () => {
    await using session = await database.connect(EXTRA);
    expect(await session.text('listen', { channels: ['orders'], timeout_ms: 50 })).toBe('No notification arrived in time');
  });

  it('reports a lost connection', async () => {
    await using session = await database.connect(EXTRA);
    const call = await listening(session, { channels: ['orders'] });
    // This handler prevents an unhandled rejection. The last assertion checks the error.
    call.result.catch(() => undefined);
    await database.asSuperuser(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'mcp-sql listen'`,
    );
    await expect(call.result).rejects.toThrow(/CONNECTION: terminating connection/);
  });

  it('serves four calls at once', async () => {
    await using session = await database.connect(EXTRA);
    const calls: Listening[] = [];
    for (let n = 0; n < 4; n += 1) calls.push(await listening(session, { channels: ['orders'] }));
    expect(await session.fails('listen', { channels: ['orders'] })).toMatch(/^OVERLOADED/);
    await database.asSuperuser('notify orders');
    for (const { result } of calls) expect((await result).structuredContent).toMatchObject({ notifications: [{ payload: '' }] });
    expect(await session.text('listen', { channels: ['orders'], timeout_ms: 50 })).toMatch(/^No notification/);
  });

  it.each([[[]], [['']], [['x'.repeat(64)]], [['a\0b']], [[1]]])('rejects %j', async (channels) => {
    await using session = await database.connect(EXTRA);
    expect(await session.fails('listen', { channels })).toMatch(/^INVALID_ARGUMENTS/);
  });
});
