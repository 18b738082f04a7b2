import { fileURLToPath } from 'node:url';

import { McpServer, RequestContext, Tool } from '@org/mcp-decorators';
import { describe, expect, it } from 'vitest';

import { connect, connectProcess, ERAS } from '../src/index.ts';
import { deferred } from './deferred.ts';

const GREETING = fileURLToPath(new URL('fixtures/greeting-server.mjs', import.meta.url));

@McpServer({ name: 'slow', version: '1.0.0' })
class Slow {
  readonly proceed = deferred();
  readonly aborted = deferred<unknown>();

  @Tool({ description: 'Waits between two reports' }) async steps(context: RequestContext): Promise<string> {
    context.progress(1, 2, 'half');
    await this.proceed.promise;
    context.progress(2, 2);
    return 'done';
  }
  @Tool({ description: 'Waits until it is cancelled' }) async wait(context: RequestContext): Promise<void> {
    context.progress(1);
    await new Promise((resolve) => context.signal.addEventListener('abort', resolve, { once: true }));
    this.aborted.resolve(context.signal.reason);
  }
  @Tool({ description: 'Asks' }) async ask(context: RequestContext): Promise<string> {
    return (await context.elicit('name', 'Name it', { type: 'object', properties: { name: { type: 'string' } } })).action;
  }
  @Tool({ description: 'Fails' }) fail(): never {
    throw new Error('broken');
  }
}

describe.each(ERAS)('a started call, in the %s era,', (era) => {
  it('returns its progress reports as they arrive, and then its result', async () => {
    const server = new Slow();
    await using session = await connect(server, { era });
    const pending = session.start('steps');
    expect(await pending.progress.next()).toEqual({ progress: 1, total: 2, message: 'half' });
    server.proceed.resolve();
    expect(await pending.progress.next(({ progress }) => progress === 2)).toEqual({ progress: 2, total: 2 });
    expect((await pending.result).content).toEqual([{ type: 'text', text: 'done' }]);
  });

  it('rejects the wait for a report that can no longer arrive', async () => {
    const server = new Slow();
    server.proceed.resolve();
    await using session = await connect(server, { era });
    const { progress } = session.start('steps');
    await expect(progress.next(({ progress: value }) => value === 3)).rejects.toThrow(
      'no further progress report can arrive; 2 arrived',
    );
  });

  it('includes the reports that a program sent together with its result', async () => {
    await using session = await connectProcess({ command: process.execPath, args: [GREETING] }, { era });
    const pending = session.start('count');
    await pending.result;
    expect(pending.progress.all).toEqual([{ progress: 1 }, { progress: 2 }, { progress: 3 }]);
  });

  it('is cancelled on the server, and its result rejects with the same reason', async () => {
    const server = new Slow();
    await using session = await connect(server, { era });
    const pending = session.start('wait');
    await pending.progress.next();
    pending.cancel('not wanted');
    await expect(pending.result).rejects.toThrow('not wanted');
    expect(String(await server.aborted.promise)).toContain('not wanted');
    await expect(pending.progress.next()).rejects.toThrow('1 arrived');
  });

  it('can be cancelled without a reason and without a listener for its result', async () => {
    const server = new Slow();
    await using session = await connect(server, { era });
    const pending = session.start('wait');
    await pending.progress.next();
    pending.cancel();
    await server.aborted.promise;
    expect(await session.fails('fail')).toMatch(/^INTERNAL/);
  });

  it('rejects with the text of a tool that fails', async () => {
    await using session = await connect(new Slow(), { era });
    await expect(session.start('fail').result).rejects.toThrow('fail failed: INTERNAL');
  });

  it('does not mix reports of its client into the reports of the server', async () => {
    await using session = await connect(new Slow(), { era, answers: { elicitation: 'decline' } });
    const { progress, result } = session.start('ask');
    await result;
    expect(progress.all).toEqual([]);
  });
});

describe.each(ERAS)('the end of a session in the %s era', (era) => {
  it('rejects every pending wait', async () => {
    const session = await connect(new Slow(), { era });
    const waits = [session.logs.next(), session.elicited.next(), session.start('wait').progress.next(() => false)];
    await session[Symbol.asyncDispose]();
    const reasons = (await Promise.allSettled(waits)).map((wait) => (wait.status === 'rejected' ? String(wait.reason) : 'came'));
    expect(reasons).toEqual([
      expect.stringContaining('no further log message'),
      expect.stringContaining('no further elicitation'),
      expect.stringContaining('no further progress report'),
    ]);
  });
});
