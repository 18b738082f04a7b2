import { expect } from 'vitest';

import type { Area } from '../area.ts';
import type { Id, Params } from '../message.ts';
import type { RawClient } from '../raw-client.ts';
import { roundTrip } from '../reading.ts';

/** What is reported by a token, up to the answer to a request after it. */
async function reported(client: RawClient, given: object, progressToken?: Id): Promise<readonly Params[]> {
  const before = client.received.length;
  const _meta = progressToken === undefined ? {} : { progressToken };
  await client.result('tools/call', { name: 'report', arguments: given, _meta });
  await roundTrip(client);
  const came = client.received.slice(before);
  return came.flatMap(({ method, params }) => (method === 'notifications/progress' ? [params ?? {}] : []));
}

export const progress: Area = (test) => {
  for (const token of ['by name', '7', 7, 0])
    test(`is reported by the token ${JSON.stringify(token)}`, ['progress.token'], async ({ client }) => {
      const reports = await reported(client, { steps: [10, 20.5] }, token);
      expect(reports).toMatchObject([
        { progressToken: token, progress: 10, total: 100 },
        { progressToken: token, progress: 20.5, total: 100 },
      ]);
    });

  test('is reported in words', ['progress.message'], async ({ client }) => {
    expect(await reported(client, { steps: [10] }, 'words')).toMatchObject([{ message: 'at 10' }]);
  });

  test('goes forward only', ['progress.increasing'], async ({ client }) => {
    const reports = await reported(client, { steps: [1, 3, 3, 2, 5, -1] }, 'forward');
    expect(reports.map((report) => report.progress)).toEqual([1, 3, 5]);
  });

  test('is not reported to whoever does not want it', ['progress.wanted'], async ({ client }) => {
    expect(await reported(client, { steps: [1, 2, 3] })).toEqual([]);
  });

  test('is not reported after the answer', ['progress.ends'], async ({ client }) => {
    const reports = await reported(client, { steps: [1], late: true }, 'late');
    expect(reports.map((report) => report.progress)).toEqual([1]);
  });

  test('is not reported a thousand times, and the last of it is', ['progress.limited'], async ({ client }) => {
    const steps = Array.from({ length: 1000 }, (_, step) => step);
    const reports = await reported(client, { steps }, 'many');
    expect(reports.length).toBeLessThan(100);
    expect(reports.at(-1)).toMatchObject({ progress: 999 });
  });
};
