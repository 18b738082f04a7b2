import { describe, expect, it } from 'vitest';

import { EventBudget, EventLog } from '../../src/sessions/event-log.ts';

const FRAME = 'x'.repeat(10);

function indexes(log: EventLog, stream: number, after = 0): readonly number[] {
  return log.after(stream, after).map(({ index }) => index);
}

function appendMany(log: EventLog, stream: number, { from = 1, count }: { from?: number; count: number }): void {
  for (let index = from; index < from + count; index += 1) log.append(stream, index, FRAME);
}

describe('an event log', () => {
  it('returns the events of a stream after a position, in order', () => {
    const log = new EventLog(new EventBudget(1e6));
    for (const stream of [1, 2, 1, 2, 1]) log.append(stream, indexes(log, stream).length + 1, `${stream}`);
    expect([indexes(log, 1), indexes(log, 2), indexes(log, 3)]).toEqual([[1, 2, 3], [1, 2], []]);
    expect([indexes(log, 1, 1), indexes(log, 1, 3), indexes(log, 1, 99)]).toEqual([[2, 3], [], []]);
    expect(log.after(2, 0).map(({ frame }) => frame)).toEqual(['2', '2']);
  });

  it('keeps the last 1,000 events of all streams', () => {
    const log = new EventLog(new EventBudget(1e6));
    appendMany(log, 1, { count: 600 });
    appendMany(log, 2, { count: 600 });
    expect([indexes(log, 1).length, indexes(log, 1)[0], indexes(log, 2).length]).toEqual([400, 201, 600]);
    expect(indexes(log, 1, 590)).toHaveLength(10);
    expect(indexes(log, 1, 100)[0]).toBe(201);
    appendMany(log, 2, { from: 601, count: 400 });
    expect([indexes(log, 1), indexes(log, 2).length]).toEqual([[], 1000]);
  });

  it('replaces a dropped response with an error, until the log is cleared', () => {
    const log = new EventLog(new EventBudget(3 * FRAME.length));
    log.append(1, 1, FRAME);
    log.append(1, 2, FRAME, 'a');
    log.append(1, 3, FRAME, 7);
    appendMany(log, 2, { count: 2 });
    expect(log.after(1, 0).map(({ frame }) => frame)).toEqual([
      'event: message\nid: 1-2\ndata: {"jsonrpc":"2.0","id":"a","error":{"code":-32603,"message":"The response is no longer available"}}\n\n',
      FRAME,
    ]);
    appendMany(log, 2, { from: 3, count: 1 });
    expect([indexes(log, 1), indexes(log, 1, 2), indexes(log, 1, 3), indexes(log, 2)]).toEqual([[2, 3], [3], [], [1, 2, 3]]);
    log.clear();
    expect(indexes(log, 1)).toEqual([]);
  });

  it('replaces the last 100 dropped responses, and none with a long id', () => {
    const log = new EventLog(new EventBudget(0));
    for (let index = 1; index <= 150; index += 1) log.append(1, index, FRAME, index);
    expect([indexes(log, 1).length, indexes(log, 1)[0]]).toEqual([100, 51]);
    log.append(2, 1, FRAME, 'x'.repeat(101));
    expect(indexes(log, 2)).toEqual([]);
  });

  it('is empty after clearing and then uses none of the budget', () => {
    const budget = new EventBudget(1e6);
    const [log, other] = [new EventLog(budget), new EventLog(budget)];
    appendMany(log, 1, { count: 5 });
    appendMany(log, 2, { count: 5 });
    appendMany(other, 1, { count: 1 });
    log.clear();
    expect([indexes(log, 1), indexes(log, 2), budget.count]).toEqual([[], [], 1]);
  });
});

describe('an event budget', () => {
  it('is shared by all logs and drops the oldest events first', () => {
    const budget = new EventBudget(5 * FRAME.length);
    const [one, other] = [new EventLog(budget), new EventLog(budget)];
    appendMany(one, 1, { count: 2 });
    appendMany(other, 1, { count: 2 });
    appendMany(one, 1, { from: 3, count: 3 });
    expect([indexes(one, 1), indexes(other, 1), budget.count]).toEqual([[3, 4, 5], [1, 2], 5]);
    appendMany(other, 1, { from: 3, count: 1 });
    expect([indexes(one, 1), indexes(other, 1)]).toEqual([
      [3, 4, 5],
      [2, 3],
    ]);
  });

  it('does not keep an event that is larger than the budget', () => {
    const budget = new EventBudget(FRAME.length);
    const log = new EventLog(budget);
    log.append(1, 1, FRAME);
    log.append(1, 2, `${FRAME}x`);
    expect([indexes(log, 1), budget.count]).toEqual([[], 0]);
    log.append(1, 3, FRAME);
    expect(indexes(log, 1)).toEqual([3]);
  });

  it('counts dropped and cleared events only once', () => {
    const budget = new EventBudget(3 * FRAME.length);
    const log = new EventLog(budget);
    appendMany(log, 1, { count: 10 });
    log.clear();
    log.clear();
    appendMany(log, 1, { from: 11, count: 10 });
    expect([indexes(log, 1), budget.count]).toEqual([[18, 19, 20], 3]);
  });
});
