import { expect } from 'vitest';

import type { Area } from '../client/area.ts';
import type { Id, Params } from '../messages/message.ts';
import type { RawClient } from '../client/raw-client.ts';
import { roundTrip } from '../client/reading.ts';

/** Returns the reports for a token, up to the answer to a later request. */
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
    test(`reports progress with the token ${JSON.stringify(token)}`, ['progress.token'], async ({ client }) => {
      const reports = await reported(client, { steps: [10, 20.5] }, token);
      expect(reports).toMatchObject([
        { progressToken: token, progress: 10, total: 100 },
        { progressToken: token, progress: 20.5, total: 100 },
      ]);
    });

  test('sends the message of a progress report', ['progress.message'], async ({ client }) => {
    expect(await reported(client, { steps: [10] }, 'words')).toMatchObject([{ message: 'at 10' }]);
  });

  test('sends only increasing progress values', ['progress.increasing'], async ({ client }) => {
    const reports = await reported(client, { steps: [1, 3, 3, 2, 5, -1] }, 'forward');
    expect(reports.map((report) => report.progress)).toEqual([1, 3, 5]);
  });

  test('sends no progress without a token', ['progress.wanted'], async ({ client }) => {
    expect(await reported(client, { steps: [1, 2, 3] })).toEqual([]);
  });

  test('sends no progress after the response', ['progress.ends'], async ({ client }) => {
    const reports = await reported(client, { steps: [1], late: true }, 'late');
    expect(reports.map((report) => report.progress)).toEqual([1]);
  });

  test('limits the number of progress notifications, and sends the last value', ['progress.limited'], async ({ client }) => {
    const steps = Array.from({ length: 1000 }, (_, step) => step);
    const reports = await reported(client, { steps }, 'many');
    expect(reports.length).toBeLessThan(100);
    expect(reports.at(-1)).toMatchObject({ progress: 999 });
  });
};
