import type { Progress } from '@modelcontextprotocol/client';
import { ERAS } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { useDatabase } from './postgres.ts';

const database = useDatabase({ sample: true });

describe.each(ERAS)('the progress of a query, on a %s connection,', (era) => {
  it('is a heartbeat before the first row, then rows read of an estimated total', async () => {
    await using session = await database.connect({}, era);
    const heard: Progress[] = [];
    // The first rows are sent when a few kilobytes are full.
    const sql = "select g, repeat('x', 3000), pg_sleep(case when g = 1 then 2.2 else 0.02 end) from generate_series(1, 60) g";
    await session.call('query', { sql }, { onprogress: (progress) => heard.push(progress) });
    expect(heard[0]).toEqual({
      progress: expect.any(Number),
      message: expect.stringMatching(/^waiting for the first row for \d s, on Timeout PgSleep$/),
    });
    expect(heard[0]?.progress).toBeLessThan(1);
    expect(heard.at(-1)).toEqual({ progress: 60, total: 60, message: '60 of ~60 rows read' });
    expect(heard.map(({ progress }) => progress)).toEqual(heard.map(({ progress }) => progress).toSorted((a, b) => a - b));
  });

  it('has no total once the estimate was exceeded twofold', async () => {
    await using session = await database.connect({}, era);
    const heard: Progress[] = [];
    const sql = "select repeat('x', 3000), pg_sleep(0.01) from generate_series(1, 80) g where g % 1 = 0";
    await session.call('query', { sql }, { onprogress: (progress) => heard.push(progress) });
    expect(heard.at(-1)).toEqual({ progress: 80, message: '80 rows read' });
  });
});
