import { setImmediate as turn } from 'node:timers/promises';

import type { JSONRPCRequest } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';

import { Requests, type RequestsOptions } from '../../src/stdio/requests.ts';

function request(id: number, method = 'tools/call'): JSONRPCRequest {
  return { jsonrpc: '2.0', id, method };
}

/** Requests of which two are begun at once, and the ids of those that have begun. */
function atMostTwo(options: Partial<RequestsOptions> = {}): { readonly requests: Requests; readonly begun: unknown[] } {
  const begun: unknown[] = [];
  const run = ({ id }: JSONRPCRequest): void => void begun.push(id);
  const isHeldBack = (): boolean => false;
  return {
    begun,
    requests: new Requests({
      maxAtOnce: 2,
      slowAfter: 60_000,
      maxWaiting: 100,
      isHeldBack,
      run,
      onAdvance: () => undefined,
      ...options,
    }),
  };
}

function add(requests: Requests, ...ids: readonly number[]): void {
  for (const id of ids) requests.add(request(id), 10);
}

describe('the requests of a connection', () => {
  it('begin in their order, a new one for each that was answered', () => {
    const { requests, begun } = atMostTwo();
    add(requests, 1, 2, 3, 4);
    expect(begun).toEqual([1, 2]);
    requests.settle(2);
    requests.settle(1);
    expect(begun).toEqual([1, 2, 3, 4]);
  });

  it('do not begin while they are held back', () => {
    let isHeldBack = true;
    const { requests, begun } = atMostTwo({ isHeldBack: () => isHeldBack });
    add(requests, 1);
    requests.beginWaiting();
    expect(begun).toEqual([]);
    isHeldBack = false;
    requests.beginWaiting();
    expect(begun).toEqual([1]);
  });

  it('do not keep a ping or a stream waiting, nor wait for a stream', async () => {
    const { requests, begun } = atMostTwo();
    add(requests, 1, 2, 3);
    requests.add(request(4, 'ping'), 10);
    requests.add(request(5, 'subscriptions/listen'), 10);
    expect(begun).toEqual([1, 2, 4, 5]);
    for (const id of [1, 2, 3, 4]) requests.settle(id);
    await requests.idle();
    expect(requests.has(5)).toBe(true);
  });

  it('do not keep others waiting once they have asked the client', () => {
    const { requests, begun } = atMostTwo();
    add(requests, 1, 2, 3, 4);
    requests.hasAsked(1);
    requests.hasAsked(1);
    expect(begun).toEqual([1, 2, 3]);
    requests.settle(1);
    expect(begun).toEqual([1, 2, 3]);
    requests.settle(3);
    expect(begun).toEqual([1, 2, 3, 4]);
  });

  it('do not keep others waiting for long', async () => {
    const begun: unknown[] = [];
    let begunLast: () => void = () => undefined;
    const last = new Promise<void>((resolve) => {
      begunLast = resolve;
    });
    const { requests } = atMostTwo({
      slowAfter: 1,
      run({ id }) {
        begun.push(id);
        if (id === 5) begunLast();
      },
    });
    add(requests, 1, 2, 3, 4, 5);
    expect(begun).toEqual([1, 2]);
    await last;
    expect(begun).toEqual([1, 2, 3, 4, 5]);
  });

  it('that wait are too many by their bytes', () => {
    const { requests } = atMostTwo({ maxWaiting: 25 });
    add(requests, 1, 2, 3, 4);
    expect(requests.isOverloaded).toBe(false);
    add(requests, 5);
    expect(requests.isOverloaded).toBe(true);
    requests.settle(1);
    expect(requests.isOverloaded).toBe(false);
  });

  it('never begin if they were cancelled while they waited', () => {
    const { requests, begun } = atMostTwo();
    add(requests, 1, 2, 3, 4);
    expect([1, 3, 99].map((id) => requests.hasBegun(id))).toEqual([true, false, false]);
    for (const id of [3, 1, 99]) requests.settle(id);
    expect(begun).toEqual([1, 2, 4]);
  });

  it('that are answered at once do not call one another', () => {
    const answeredAtOnce = atMostTwo({
      run({ id }) {
        answeredAtOnce.begun.push(id);
        if (id !== 1) answeredAtOnce.requests.settle(id);
      },
    });
    const { requests, begun } = answeredAtOnce;
    requests.add(request(1), 10);
    for (let id = 2; id < 20_000; id += 1) requests.add(request(id), 1);
    expect(begun).toHaveLength(19_999);
  });

  it('are over when the last of them is answered', async () => {
    const { requests } = atMostTwo();
    await requests.idle();
    add(requests, 1, 2, 3);
    let isIdle = false;
    const idle = requests.idle().then(() => (isIdle = true));
    for (const id of [1, 2]) requests.settle(id);
    await turn();
    expect(isIdle).toBe(false);
    requests.settle(3);
    await idle;
  });

  it('are forgotten together, and named', async () => {
    const { requests, begun } = atMostTwo();
    add(requests, 1, 2, 3, 4);
    const idle = requests.idle();
    expect(requests.clear()).toEqual([1, 2, 3, 4]);
    await idle;
    expect([requests.has(1), requests.has(4), requests.isOverloaded]).toEqual([false, false, false]);
    expect(begun).toEqual([1, 2]);
  });
});
