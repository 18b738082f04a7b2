import { setImmediate } from 'node:timers/promises';

import type { RequestOptions } from '@modelcontextprotocol/client';
import { McpServer, Prompt, RequestContext, Resource, Tool } from '@org/mcp-decorators';
import { connect, ERAS, type Session } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { deferred, errorListener, recordWire } from '../../support/recorders.ts';

@McpServer({ name: 'notes', version: '1.0.0' })
class Notes {
  readonly started = deferred<RequestContext>();
  readonly ended = deferred();

  @Tool({ description: 'Waits until it is cancelled' }) wait(context: RequestContext): Promise<never> {
    return this.#untilAborted(context);
  }
  @Resource({ uri: 'notes://wait' }) waitingResource(context: RequestContext): Promise<never> {
    return this.#untilAborted(context);
  }
  @Prompt({}) waitingPrompt(context: RequestContext): Promise<never> {
    return this.#untilAborted(context);
  }
  @Tool({ description: 'Answers' }) answer(): string {
    return 'here';
  }

  async #untilAborted(context: RequestContext): Promise<never> {
    this.started.resolve(context);
    try {
      await new Promise((resolve) => context.signal.addEventListener('abort', resolve, { once: true }));
      context.progress(1);
      context.log.emergency('given up');
      throw new Error('given up');
    } finally {
      this.ended.resolve();
    }
  }
}

type Send = (session: Session, options: RequestOptions) => Promise<unknown>;

const REQUESTS: readonly (readonly [string, Send])[] = [
  ['tool', (session, options) => session.call('wait', {}, options)],
  ['resource', ({ client }, options) => client.readResource({ uri: 'notes://wait' }, options)],
  ['prompt', ({ client }, options) => client.getPrompt({ name: 'waiting_prompt' }, options)],
];

describe.each(ERAS)('a request that the client cancels, in the %s era,', (era) => {
  it.each(REQUESTS)('aborts the signal of its handler: %s', async (_, send) => {
    const server = new Notes();
    await using session = await connect(server, { era });
    const cancel = new AbortController();
    const failure = send(session, { signal: cancel.signal, onprogress: () => undefined }).catch(asError);
    const { signal } = await server.started.promise;
    expect(signal.aborted).toBe(false);
    cancel.abort(new Error('not wanted'));
    expect(String(await failure)).toContain('not wanted');
    await server.ended.promise;
    expect(signal.aborted).toBe(true);
  });

  it('may have any number of listeners', async () => {
    const server = new Notes();
    await using session = await connect(server, { era });
    const cancel = new AbortController();
    const failure = session.call('wait', {}, { signal: cancel.signal }).catch(asError);
    const { signal } = await server.started.promise;
    const warnings: Error[] = [];
    const keep = (warning: Error): number => warnings.push(warning);
    process.on('warning', keep);
    for (let count = 0; count < 20; count += 1) signal.addEventListener('abort', () => undefined);
    await setImmediate();
    process.off('warning', keep);
    expect(warnings).toEqual([]);
    cancel.abort();
    await failure;
  });

  it.each(REQUESTS)('gets no response, no progress and no log messages, and is not reported as an error: %s', async (_, send) => {
    const server = new Notes();
    const onError = errorListener();
    await using session = await connect(server, { era, onError, logLevel: 'debug' });
    const cancel = new AbortController();
    const failure = send(session, { signal: cancel.signal, onprogress: () => undefined }).catch(asError);
    await server.started.promise;
    const wire = recordWire(session);
    cancel.abort();
    expect(await failure).toBeInstanceOf(Error);
    await server.ended.promise;
    // Any message of the cancelled handler would arrive before the answer to a later request.
    expect(await session.text('answer')).toBe('here');
    expect(wire).toHaveLength(1);
    expect(onError).not.toHaveBeenCalled();
  });
});

describe.each(ERAS)('a client that disconnects, in the %s era,', (era) => {
  it('has the signals of its requests aborted', async () => {
    const server = new Notes();
    const session = await connect(server, { era });
    const failure = session.call('wait').catch(asError);
    const { signal } = await server.started.promise;
    await session[Symbol.asyncDispose]();
    await server.ended.promise;
    expect(await failure).toBeInstanceOf(Error);
    expect(signal.aborted).toBe(true);
  });

  it('does not cause progress reports of its requests to throw', async () => {
    const server = new Notes();
    const session = await connect(server, { era });
    const failure = session.start('wait').result.catch(asError);
    const context = await server.started.promise;
    await session[Symbol.asyncDispose]();
    await server.ended.promise;
    expect(await failure).toBeInstanceOf(Error);
    expect(() => {
      context.progress(1);
      context.log.emergency('not received');
    }).not.toThrow();
  });
});

function asError(error: unknown): unknown {
  return error;
}
