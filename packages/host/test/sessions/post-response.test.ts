import type { RequestId } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';

import { EventBudget, EventLog } from '../../src/sessions/event-log.ts';
import { EventStream } from '../../src/sessions/event-stream.ts';
import { PostResponse } from '../../src/sessions/post-response.ts';
import { answering, ask, bodyOf } from '../http/answering.ts';

interface Begun {
  readonly ids?: readonly RequestId[];
  readonly primes?: boolean;
  readonly isBatch?: boolean;
}

function result(id: RequestId): string {
  return JSON.stringify({ jsonrpc: '2.0', id, result: {} });
}

const NOTICE = { jsonrpc: '2.0' as const, method: 'notifications/message', params: {} };

/**
 * Returns the status and the content type of the response that `run` writes. `messages` contains, for each message in it, the
 * error message, else the id, else the method.
 */
async function answered(run: (exchange: PostResponse) => unknown, { ids = [1], ...options }: Begun = {}) {
  await using server = await answering(async (_, response) => {
    const stream = new EventStream({ id: 1, log: new EventLog(new EventBudget(1e6)), sessionId: 'session' });
    const exchange = new PostResponse({ response, stream, ids, primes: false, isBatch: false, ...options });
    await run(exchange);
    await exchange.ended;
  });
  const answer = await ask(server);
  const text = await bodyOf(answer);
  const frames = [...text.matchAll(/^(?:data: )?(\{.*\})$/gm)].map(([, json = '']) => JSON.parse(json));
  return {
    status: answer.statusCode,
    type: answer.headers['content-type'],
    messages: frames.map(({ id, method, error }) => error?.message ?? id ?? method),
  };
}

const JSON_TYPE = 'application/json';
const STREAM = 'text/event-stream';

describe('the response to a POST', () => {
  it('is one JSON body for a single response', async () => {
    expect(await answered((exchange) => exchange.answer(1, result(1)))).toEqual({ status: 200, type: JSON_TYPE, messages: [1] });
  });

  it('is a stream if a notification precedes the response', async () => {
    const run = (exchange: PostResponse): void => {
      exchange.notify(NOTICE);
      exchange.answer(1, result(1));
      exchange.answer(1, result(1));
    };
    expect(await answered(run)).toEqual({ status: 200, type: STREAM, messages: [NOTICE.method, 1] });
  });

  it('is a stream for several responses, which ends after the last', async () => {
    const run = (exchange: PostResponse): void => {
      exchange.answer(2, result(2));
      exchange.answer(3, result(3));
      exchange.answer(1, result(1));
    };
    expect(await answered(run, { ids: [1, 2], isBatch: true })).toEqual({ status: 200, type: STREAM, messages: [2, 1] });
  });

  it('has status 202 if all requests were cancelled', async () => {
    expect(await answered((exchange) => exchange.cancel(1))).toEqual({ status: 202, type: undefined, messages: [] });
    const late = (exchange: PostResponse): void => {
      exchange.notify(NOTICE);
      exchange.cancel(1);
      exchange.answer(1, result(1));
    };
    expect(await answered(late)).toEqual({ status: 200, type: STREAM, messages: [NOTICE.method] });
  });

  it('contains an error for each remaining request if it is abandoned', async () => {
    const run = (exchange: PostResponse): void => {
      exchange.answer(2, result(2));
      exchange.abandon('over');
      exchange.abandon('again');
    };
    const batch = { ids: [1, 2, 3], isBatch: true };
    expect(await answered(run, batch)).toEqual({ status: 200, type: STREAM, messages: [2, 'over', 'over'] });
    expect(await answered((exchange) => exchange.abandon('over'))).toMatchObject({ type: JSON_TYPE, messages: ['over'] });
  });

  it('closes its stream only for a client that can reconnect', async () => {
    const run = (exchange: PostResponse): void => {
      exchange.closeStream();
      exchange.answer(1, result(1));
    };
    expect(await answered(run, { primes: true })).toMatchObject({ type: STREAM, messages: [] });
    expect(await answered(run)).toMatchObject({ type: JSON_TYPE, messages: [1] });
  });

  it('reports whether its client is connected', async () => {
    const known: boolean[] = [];
    const run = async (exchange: PostResponse): Promise<void> => {
      known.push(exchange.isConnected);
      exchange.notify(NOTICE);
      known.push(exchange.isConnected);
      exchange.closeStream();
      known.push(exchange.isConnected);
      exchange.answer(1, result(1));
    };
    await answered(run, { primes: true });
    expect(known).toEqual([true, true, false]);
  });
});
