import { Complete, McpServer, Prompt, RequestContext, Tool } from '@org/mcp-decorators';
import { connect, ERAS } from '@org/mcp-testing';
import { IsString } from 'class-validator';
import { describe, expect, it } from 'vitest';

import { deferred, errorListener } from '../../support/recorders.ts';

class Name {
  @IsString() name!: string;
}

class Answer {
  @IsString() text!: string;
}

@McpServer({ name: 'limited', version: '1.0.0' })
class Limited {
  readonly signals: AbortSignal[] = [];
  readonly reports: string[] = [];
  running = 0;
  most = 0;
  gate = deferred();

  @Tool({ description: 'Never end by itself', timeoutMs: 20 })
  hang(context: RequestContext): Promise<never> {
    this.signals.push(context.signal);
    return new Promise(() => undefined);
  }

  @Tool({ description: 'End on request', timeoutMs: 20 })
  async obedient({ signal }: RequestContext): Promise<string> {
    await new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('stopped')), { once: true }));
    return 'never';
  }

  @Tool({ description: 'Ask, and never end after it', timeoutMs: 20 })
  async stubborn(context: RequestContext): Promise<unknown> {
    return context.elicit('text', 'What?', Answer).catch(() => new Promise(() => undefined));
  }

  @Tool({ description: 'Two at once', maxConcurrent: 2 })
  async narrow(): Promise<string> {
    this.running += 1;
    this.most = Math.max(this.most, this.running);
    if (this.running === 2) this.gate.resolve();
    await this.gate.promise;
    this.running -= 1;
    return 'done';
  }

  @Tool({ description: 'Two in an hour', rateLimit: { calls: 2, perSeconds: 3600 } })
  rare(): string {
    return 'done';
  }

  @Tool({ description: 'Once in an hour, after a question', rateLimit: { calls: 1, perSeconds: 3600 } })
  async asking(context: RequestContext): Promise<string> {
    return (await context.elicit('text', 'What?', Answer)).action;
  }

  @Tool({ description: 'Once in an hour, with the roots', rateLimit: { calls: 1, perSeconds: 3600 } })
  async rooted(context: RequestContext): Promise<string> {
    return (await context.roots())?.map(({ uri }) => uri).join() ?? '';
  }

  @Prompt({ description: 'Greet' })
  greet({ name }: Name): string {
    return `Greet ${name}`;
  }

  @Complete({ prompt: 'greet', argument: 'name' })
  names(): readonly string[] {
    return ['Ada'];
  }
}

describe.each(ERAS)('a limit of a tool, in the %s era,', (era) => {
  it('ends a call that takes too long, aborts its method and logs no error', async () => {
    const server = new Limited();
    const onError = errorListener();
    await using session = await connect(server, { era, onError });
    expect(await session.fails('hang')).toBe('TIMEOUT: hang took longer than 20 ms');
    expect(server.signals[0]?.reason).toMatchObject({ code: 'TIMEOUT' });
    expect(await session.fails('obedient')).toBe('TIMEOUT: obedient took longer than 20 ms');
    expect(onError).not.toHaveBeenCalled();
  });

  it('ends a call that ignores its input request, without sending the request', async () => {
    await using session = await connect(new Limited(), { era, answers: { elicitation: { text: 'this' } } });
    expect(await session.fails('stubborn')).toBe('TIMEOUT: stubborn took longer than 20 ms');
    expect(session.elicited.all).toEqual([]);
  });

  it('allows at most this number of calls at once, and the waiting calls run afterwards', async () => {
    const server = new Limited();
    await using session = await connect(server, { era });
    const results = await Promise.all(Array.from({ length: 9 }, () => session.text('narrow')));
    expect(results).toEqual(Array.from({ length: 9 }, () => 'done'));
    expect(server.most).toBe(2);
  });

  it('applies to all connections of a server together', async () => {
    const server = new Limited();
    await using one = await connect(server, { era });
    await using other = await connect(server, { era });
    await Promise.all(Array.from({ length: 6 }, (_, call) => (call % 2 === 0 ? one : other).text('narrow')));
    expect(server.most).toBe(2);
  });

  it('limits the calls of each connection per period', async () => {
    const server = new Limited();
    await using session = await connect(server, { era });
    await session.call('rare');
    await session.call('rare');
    expect(await session.fails('rare')).toMatch(
      /^RATE_LIMITED: rare is limited to 2 calls per 3600 s\ntry again in 1[78]\d\d\.\d s$/,
    );
    await using other = await connect(server, { era });
    expect(await other.text('rare')).toBe('done');
  });

  it('counts a call once if it requests input from its client', async () => {
    await using session = await connect(new Limited(), { era, answers: { elicitation: { text: 'this' } } });
    expect(await session.text('asking')).toBe('accept');
    expect(await session.fails('asking')).toMatch(/^RATE_LIMITED/);
  });

  it('counts a call once if it requests only roots', async () => {
    await using session = await connect(new Limited(), { era, roots: () => [{ uri: 'file:///notes' }] });
    expect(await session.text('rooted')).toBe('file:///notes');
    expect(await session.fails('rooted')).toMatch(/^RATE_LIMITED/);
  });

  it('allows a burst of at most 100 completions', async () => {
    await using session = await connect(new Limited(), { era });
    const complete = (): Promise<unknown> =>
      session.client.complete({ ref: { type: 'ref/prompt', name: 'greet' }, argument: { name: 'name', value: '' } });
    for (let call = 0; call < 100; call += 1) expect(await complete()).toMatchObject({ completion: { values: ['Ada'] } });
    const rest = await Promise.allSettled(Array.from({ length: 50 }, complete));
    expect(rest.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: -32_603, data: { code: 'RATE_LIMITED' } },
    });
  });
});
