import { McpServer, Resource, type ResourceWatcher } from '@org/mcp-decorators';
import { describe, expect, it, vi } from 'vitest';

import { connect, ERAS } from '../src/index.ts';
import { errorListener } from './recorders.ts';

@McpServer({ name: 'watched', version: '1.0.0' })
class Watched implements ResourceWatcher {
  readonly watched = new Map<string, () => void>();
  readonly starts: string[] = [];

  @Resource({ uri: 'watched://a' }) a(): string {
    return 'a';
  }

  async watch(uri: string, updated: () => void): Promise<AsyncDisposable | undefined> {
    if (uri === 'watched://broken') throw new Error('no more watches');
    if (!uri.startsWith('watched://')) return undefined;
    this.starts.push(uri);
    this.watched.set(uri, updated);
    return {
      [Symbol.asyncDispose]: () => {
        this.watched.delete(uri);
        return Promise.resolve();
      },
    };
  }

  change(uri: string): void {
    this.watched.get(uri)?.();
  }
}

describe.each(ERAS)('a subscription, in the %s era,', (era) => {
  it('is announced, and brings each change once, with the URI as it was written', async () => {
    const server = new Watched();
    await using session = await connect(server, { era });
    expect(session.client.getServerCapabilities()?.resources?.subscribe).toBe(true);
    await using updates = await session.subscribe('watched://a');
    await using others = await session.subscribe('watched://b');
    server.change('watched://a');
    await updates.next();
    server.change('watched://a');
    await updates.next();
    expect([updates.count, others.count]).toEqual([2, 0]);
  });

  it('stops the watcher when it ends', async () => {
    const server = new Watched();
    await using session = await connect(server, { era });
    const updates = await session.subscribe('watched://a');
    expect([...server.watched.keys()]).toEqual(['watched://a']);
    await updates[Symbol.asyncDispose]();
    await vi.waitFor(() => expect(server.watched.size).toBe(0));
  });

  it('stops the watcher when the client goes', async () => {
    const server = new Watched();
    const session = await connect(server, { era });
    await session.subscribe('watched://a');
    await session[Symbol.asyncDispose]();
    await vi.waitFor(() => expect(server.watched.size).toBe(0));
  });

  it('rejects the wait for an update that cannot come any more', async () => {
    const session = await connect(new Watched(), { era });
    const updates = await session.subscribe('watched://a');
    const wait = updates.next().catch(String);
    await session[Symbol.asyncDispose]();
    expect(await wait).toContain('no other update came; there were 0');
  });

  it('is refused for what cannot be watched', async () => {
    const server = new Watched();
    await using session = await connect(server, { era });
    await expect(session.subscribe('other://a')).rejects.toThrow();
    await expect(session.subscribe('watched://broken')).rejects.toThrow();
    expect(server.watched.size).toBe(0);
  });
});

describe('a watcher of a session', () => {
  @McpServer({ name: 'failing', version: '1.0.0' })
  class Failing extends Watched {
    override async watch(uri: string, updated: () => void): Promise<AsyncDisposable | undefined> {
      await super.watch(uri, updated);
      return { [Symbol.asyncDispose]: () => Promise.reject(new Error('EIO: /secret')) };
    }
  }

  it('fails without telling the client why', async () => {
    const onError = errorListener();
    await using session = await connect(new Failing(), { era: 'legacy', onError });
    const { client } = session;
    const internal = { code: -32_603, message: 'INTERNAL: subscription failed because of an internal error' };
    await expect(client.subscribeResource({ uri: 'watched://broken' })).rejects.toMatchObject(internal);
    await client.subscribeResource({ uri: 'watched://a' });
    await expect(client.unsubscribeResource({ uri: 'watched://a' })).rejects.toMatchObject(internal);
    expect(onError.mock.calls.map(([error, place]) => [String(error), place])).toEqual([
      ['Error: no more watches', 'Failing.watch'],
      ['Error: EIO: /secret', 'Failing.watch'],
    ]);
  });

  it('that cannot stop when the client goes does not end the process', async () => {
    const onError = errorListener();
    const session = await connect(new Failing(), { era: 'legacy', onError });
    await session.subscribe('watched://a');
    await session[Symbol.asyncDispose]();
    await vi.waitFor(() => expect(onError).toHaveBeenCalledExactlyOnceWith(expect.any(Error), 'Failing.watch'));
  });
});

describe('two listen streams of one connection', () => {
  it('share a watcher, which ends with the second', async () => {
    const server = new Watched();
    await using session = await connect(server, { era: 'modern' });
    const first = await session.client.listen({ resourceSubscriptions: ['watched://a'] });
    const second = await session.client.listen({ resourceSubscriptions: ['watched://a', 'watched://b'] });
    expect(server.starts).toEqual(['watched://a', 'watched://b']);
    await first.close();
    expect([...server.watched.keys()]).toEqual(['watched://a', 'watched://b']);
    await second.close();
    await vi.waitFor(() => expect(server.watched.size).toBe(0));
  });
});

describe('a server that watches nothing', () => {
  it.each(ERAS)('says so, in the %s era', async (era) => {
    @McpServer({ name: 'plain', version: '1.0.0' })
    class Plain {
      @Resource({ uri: 'plain://a' }) a(): string {
        return 'a';
      }
    }
    await using session = await connect(new Plain(), { era });
    expect(session.client.getServerCapabilities()?.resources?.subscribe ?? false).toBe(false);
    await expect(session.subscribe('plain://a')).rejects.toThrow();
  });
});
