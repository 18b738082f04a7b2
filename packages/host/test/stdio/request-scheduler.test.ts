import { setImmediate as turn } from 'node:timers/promises';

import type { JSONRPCRequest } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';

import { RequestScheduler, type SchedulerOptions } from '../../src/stdio/request-scheduler.ts';

function request(id: number, method = 'tools/call'): JSONRPCRequest {
  return { jsonrpc: '2.0', id, method };
}

/** Creates a scheduler that runs at most two requests at a time, and the list of the ids of the started requests. */
function atMostTwo(options: Partial<SchedulerOptions> = {}): { readonly requests: RequestScheduler; readonly begun: unknown[] } {
  const begun: unknown[] = [];
  const start = ({ id }: JSONRPCRequest): void => void begun.push(id);
  const isPaused = (): boolean => false;
  return {
    begun,
    requests: new RequestScheduler({
      maxConcurrent: 2,
      slowAfterMs: 60_000,
      maxWaitingBytes: 100,
      isPaused,
      start,
      onProgress: () => undefined,
      ...options,
    }),
  };
}

function add(requests: RequestScheduler, ...ids: readonly number[]): void {
  for (const id of ids) requests.add(request(id), 10);
}

describe('the request scheduler', () => {
  it('starts requests in order, one for each that was answered', () => {
    const { requests, begun } = atMostTwo();
    add(requests, 1, 2, 3, 4);
    expect(begun).toEqual([1, 2]);
    requests.remove(2);
    requests.remove(1);
    expect(begun).toEqual([1, 2, 3, 4]);
  });

  it('starts no request while it is paused', () => {
    let isPaused = true;
    const { requests, begun } = atMostTwo({ isPaused: () => isPaused });
    add(requests, 1);
    requests.startWaiting();
    expect(begun).toEqual([]);
    isPaused = false;
    requests.startWaiting();
    expect(begun).toEqual([1]);
  });

  it('never delays a ping or a stream, and does not count streams', async () => {
    const { requests, begun } = atMostTwo();
    add(requests, 1, 2, 3);
    requests.add(request(4, 'ping'), 10);
    requests.add(request(5, 'subscriptions/listen'), 10);
    expect(begun).toEqual([1, 2, 4, 5]);
    for (const id of [1, 2, 3, 4]) requests.remove(id);
    await requests.whenIdle();
    expect(requests.has(5)).toBe(true);
  });

  it('does not count requests that wait for the client', () => {
    const { requests, begun } = atMostTwo();
    add(requests, 1, 2, 3, 4);
    requests.markSlow(1);
    requests.markSlow(1);
    expect(begun).toEqual([1, 2, 3]);
    requests.remove(1);
    expect(begun).toEqual([1, 2, 3]);
    requests.remove(3);
    expect(begun).toEqual([1, 2, 3, 4]);
  });

  it('does not count slow requests', async () => {
    const begun: unknown[] = [];
    let begunLast: () => void = () => undefined;
    const last = new Promise<void>((resolve) => {
      begunLast = resolve;
    });
    const { requests } = atMostTwo({
      slowAfterMs: 1,
      start({ id }) {
        begun.push(id);
        if (id === 5) begunLast();
      },
    });
    add(requests, 1, 2, 3, 4, 5);
    expect(begun).toEqual([1, 2]);
    await last;
    expect(begun).toEqual([1, 2, 3, 4, 5]);
  });

  it('is overloaded by the bytes of waiting requests', () => {
    const { requests } = atMostTwo({ maxWaitingBytes: 25 });
    add(requests, 1, 2, 3, 4);
    expect(requests.isOverloaded).toBe(false);
    add(requests, 5);
    expect(requests.isOverloaded).toBe(true);
    requests.remove(1);
    expect(requests.isOverloaded).toBe(false);
  });

  it('never starts a request that was cancelled while it waited', () => {
    const { requests, begun } = atMostTwo();
    add(requests, 1, 2, 3, 4);
    expect([1, 3, 99].map((id) => requests.isRunning(id))).toEqual([true, false, false]);
    for (const id of [3, 1, 99]) requests.remove(id);
    expect(begun).toEqual([1, 2, 4]);
  });

  it('does not recurse if requests are answered at once', () => {
    const answeredAtOnce = atMostTwo({
      start({ id }) {
        answeredAtOnce.begun.push(id);
        if (id !== 1) answeredAtOnce.requests.remove(id);
      },
    });
    const { requests, begun } = answeredAtOnce;
    requests.add(request(1), 10);
    for (let id = 2; id < 20_000; id += 1) requests.add(request(id), 1);
    expect(begun).toHaveLength(19_999);
  });

  it('is idle when the last request is answered', async () => {
    const { requests } = atMostTwo();
    await requests.whenIdle();
    add(requests, 1, 2, 3);
    let isIdle = false;
    const idle = requests.whenIdle().then(() => (isIdle = true));
    for (const id of [1, 2]) requests.remove(id);
    await turn();
    expect(isIdle).toBe(false);
    requests.remove(3);
    await idle;
  });

  it('returns all requests when it is cleared', async () => {
    const { requests, begun } = atMostTwo();
    add(requests, 1, 2, 3, 4);
    const idle = requests.whenIdle();
    expect(requests.clear().map(({ request: { id } }) => id)).toEqual([1, 2, 3, 4]);
    await idle;
    expect([requests.has(1), requests.has(4), requests.isOverloaded]).toEqual([false, false, false]);
    expect(begun).toEqual([1, 2]);
  });
});
