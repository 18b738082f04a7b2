import { McpServer, RequestContext, Tool } from '@org/mcp-decorators';
import { connect, ERAS } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

@McpServer({ name: 'index', version: '1.0.0' })
class IndexServer {
  readonly names: readonly string[] = ['today', 'tomorrow'];

  @Tool({ description: 'Index all notes', timeoutMs: 60_000, maxConcurrent: 1, rateLimit: { calls: 2, perSeconds: 3600 } })
  async indexNotes(context: RequestContext): Promise<string> {
    context.log.info('indexing', { by: context.client.name });
    for (const [done, name] of this.names.entries()) {
      context.signal.throwIfAborted();
      await this.index(name, context.signal);
      context.progress(done + 1, this.names.length, name);
    }
    return `${this.names.length} notes`;
  }

  protected async index(_name: string, _signal: AbortSignal): Promise<void> {}
}

class SlowIndex extends IndexServer {
  readonly reasons: unknown[] = [];

  protected override index(_name: string, signal: AbortSignal): Promise<void> {
    return new Promise((_, reject) => {
      signal.addEventListener('abort', () => {
        this.reasons.push(signal.reason);
        reject(new Error('stopped'));
      });
    });
  }
}

class ImpatientIndex extends SlowIndex {
  @Tool({ timeoutMs: 20 }) override indexNotes(context: RequestContext): Promise<string> {
    return super.indexNotes(context);
  }
}

describe.each(ERAS)('the calls in the guide, in the %s era,', (era) => {
  it('report progress, send log messages, and are limited', async () => {
    await using session = await connect(new IndexServer(), { era, logLevel: 'info' });
    const call = session.start('index_notes');
    await call.result;
    expect(call.progress.all).toEqual([
      { progress: 1, total: 2, message: 'today' },
      { progress: 2, total: 2, message: 'tomorrow' },
    ]);
    expect(session.logs.all).toMatchObject([{ level: 'info', data: { message: 'indexing', data: { by: '@org/mcp-testing' } } }]);
    await session.call('index_notes');
    expect(await session.fails('index_notes')).toMatch(/^RATE_LIMITED: /);
  });

  it('are notified of their cancellation', async () => {
    const server = new SlowIndex();
    await using session = await connect(server, { era, logLevel: 'info' });
    const call = session.start('index_notes');
    await session.logs.next();
    call.cancel('enough');
    await expect(call.result).rejects.toThrow('enough');
    await expect.poll(() => server.reasons).toHaveLength(1);
  });

  it('are notified that their time limit is exceeded', async () => {
    const server = new ImpatientIndex();
    await using session = await connect(server, { era });
    expect(await session.fails('index_notes')).toBe('TIMEOUT: index_notes took longer than 20 ms');
    expect(server.reasons).toMatchObject([{ code: 'TIMEOUT' }]);
  });
});
