import { ERAS, type Session } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { useApp } from '../fixtures/app.ts';
import { serveTwo } from '../fixtures/principals.ts';

const database = useApp();
const connectAs = serveTwo(database, '--max-stored-bytes', '1mb', '--max-connections', '3', '--connect-timeout', '1m');

/** Statement whose result takes a tenth of the maximum size of all stored results. */
const TENTH = "select repeat('x', 100000)";

async function kept(session: Session): Promise<string> {
  const { _meta: facts } = await session.call('query', { sql: TENTH, keep: true });
  const { handle } = facts as { handle: string };
  // All rows are stored once the last page has been read.
  await session.call('fetch_result', { handle });
  return handle;
}

async function sleeping(): Promise<number> {
  const sql = "select count(*) from pg_stat_activity where wait_event = 'PgSleep'";
  return Number((await database.asSuperuser(sql))[0]?.[0]);
}

describe.each(ERAS)('over HTTP, on %s connections,', (era) => {
  it('an export of one principal fits although results of another principal use the whole limit', async () => {
    await using ada = await connectAs('ada', era);
    await using bob = await connectAs('bob', era);
    const handles: string[] = [];
    for (let count = 0; count < 12; count += 1) handles.push(await kept(ada));
    for (let count = 0; count < 4; count += 1) expect(await bob.text('export', { sql: TENTH })).toContain('1 row');
    expect(await ada.fails('fetch_result', { handle: handles[0] })).toMatch(/^HANDLE_EXPIRED/);
    expect(await ada.text('fetch_result', { handle: handles.at(-1) })).toContain('xxx');
  });

  it('a query of a known principal is answered although another principal has sleeping statements in all connections and a hundred waiting statements', async () => {
    await using bob = await connectAs('bob', era);
    await using ada = await connectAs('ada', era);
    await ada.call('query', { sql: 'select 1' });
    let ended = 0;
    const stop = new AbortController();
    const sleep = { name: 'query', arguments: { sql: 'select pg_sleep(600)', timeout_ms: 600_000 } };
    for (let count = 0; count < 100; count += 1)
      void bob.client.callTool(sleep, { signal: stop.signal }).then(
        () => (ended += 1),
        () => (ended += 1),
      );
    await expect.poll(sleeping).toBeGreaterThanOrEqual(2);
    expect(await ada.text('query', { sql: 'select 6 * 7 as answer' })).toContain('42');
    expect(ended).toBe(0);
    stop.abort();
    // The calls of a principal are answered in order, so when this query is answered, no aborted call waits for a connection.
    expect(await bob.text('query', { sql: 'select 1' })).toContain('1 row');
    await expect.poll(sleeping).toBe(0);
  });
});
