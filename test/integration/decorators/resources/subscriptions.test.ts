import { McpServer, RequestContext, Resource, Subscriptions, Tool, type ResourceWatcher } from '@org/mcp-decorators';
import { connect, ERAS } from '@org/mcp-testing';
import { IsString } from 'class-validator';
import { describe, expect, it, vi } from 'vitest';

import { errorListener, recordWire } from '../../support/recorders.ts';

class Changed {
  @IsString() uri!: string;
}

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

  @Tool({ description: 'Changes what a resource shows' }) write({ uri }: Changed, context: RequestContext): void {
    context.resourceUpdated(uri);
  }
}

describe.each(ERAS)('a subscription, in the %s era,', (era) => {
  it('is acknowledged, and sends each change once, with the URI as the client wrote it', async () => {
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

  it('delivers the changes that a method reports, to every client that is subscribed to the resource and to no other', async () => {
    const server = new Watched();
    await using writing = await connect(server, { era });
    await using one = await connect(server, { era });
    await using other = await connect(server, { era });
    await using updates = await one.subscribe('watched://a');
    await using same = await other.subscribe('watched://a');
    await using others = await other.subscribe('watched://b');
    const wire = recordWire(writing);
    await writing.call('write', { uri: 'watched://a' });
    await writing.call('write', { uri: 'watched://never' });
    await writing.call('write', { uri: 'watched://b' });
    await Promise.all([updates.next(), same.next(), others.next()]);
    expect([updates.count, same.count, others.count]).toEqual([1, 1, 1]);
    expect(wire.filter((message) => 'method' in message)).toEqual([]);
  });

  it('shares its watcher with other clients, each of which is notified of a change once', async () => {
    const server = new Watched();
    const gone = await connect(server, { era });
    await using one = await connect(server, { era });
    await using other = await connect(server, { era });
    const all = await Promise.all([gone, one, other].map((session) => session.subscribe('watched://a')));
    expect(server.starts).toEqual(['watched://a']);
    server.change('watched://a');
    await Promise.all(all.map((updates) => updates.next()));
    await gone[Symbol.asyncDispose]();
    await vi.waitFor(() => expect(Subscriptions.of(server)?.size).toBe(2));
    server.change('watched://a');
    await Promise.all(all.slice(1).map((updates) => updates.next()));
    expect(all.map(({ count }) => count)).toEqual([1, 2, 2]);
  });

  it('stops the watcher when it ends', async () => {
    const server = new Watched();
    await using session = await connect(server, { era });
    const updates = await session.subscribe('watched://a');
    expect([...server.watched.keys()]).toEqual(['watched://a']);
    await updates[Symbol.asyncDispose]();
    await vi.waitFor(() => expect(server.watched.size).toBe(0));
  });

  it('stops the watcher when the client disconnects', async () => {
    const server = new Watched();
    const session = await connect(server, { era });
    await session.subscribe('watched://a');
    await session[Symbol.asyncDispose]();
    await vi.waitFor(() => expect(server.watched.size).toBe(0));
  });

  it('rejects the wait for an update that can no longer arrive', async () => {
    const session = await connect(new Watched(), { era });
    const updates = await session.subscribe('watched://a');
    const wait = updates.next().catch(String);
    await session[Symbol.asyncDispose]();
    expect(await wait).toContain('no further update can arrive; 0 arrived');
  });

  it('is rejected for a resource that cannot be watched', async () => {
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

  it('fails without disclosing the reason to the client', async () => {
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

  it('does not end the process if it fails to stop when the client disconnects', async () => {
    const onError = errorListener();
    const session = await connect(new Failing(), { era: 'legacy', onError });
    await session.subscribe('watched://a');
    await session[Symbol.asyncDispose]();
    await vi.waitFor(() => expect(onError).toHaveBeenCalledExactlyOnceWith(expect.any(Error), 'Failing.watch'));
  });
});

describe('two listen streams of one connection', () => {
  it('share a watcher, which is stopped with the second stream', async () => {
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

describe('too many subscriptions', () => {
  /** Adds 100,000 subscriptions, after which the server accepts no more. */
  async function fill(server: object): Promise<void> {
    const subscriptions = Subscriptions.of(server);
    const uris = Array.from({ length: 10_000 }, (_, each) => `watched://${each}`);
    for (let owners = 0; owners < 10; owners += 1) {
      const owner = {};
      await Promise.all(uris.map(async (uri) => subscriptions?.add(uri, owner)));
    }
  }

  it('are rejected in a session with a reason', async () => {
    const server = new Watched();
    await fill(server);
    await using session = await connect(server, { era: 'legacy' });
    await expect(session.subscribe('watched://a')).rejects.toMatchObject({
      code: -32_603,
      message: 'OVERLOADED: the server has the maximum of 100000 subscriptions\ntry again later',
    });
  });

  it('are left out of a listen stream, and reported to the operator once', async () => {
    const server = new Watched();
    await fill(server);
    const onTransportError = vi.fn<(error: Error) => void>();
    await using session = await connect(server, { era: 'modern', onTransportError });
    const stream = await session.client.listen({ resourceSubscriptions: ['watched://a', 'watched://b'] });
    expect(stream.honoredFilter.resourceSubscriptions ?? []).toEqual([]);
    expect(onTransportError.mock.calls.map(([{ message }]) => message)).toEqual([
      'the server has the maximum of 100000 subscriptions',
    ]);
  });

  it('do not prevent a listen stream with the allowed subscriptions', async () => {
    const server = new Watched();
    const onTransportError = vi.fn<(error: Error) => void>();
    await using session = await connect(server, { era: 'modern', onTransportError });
    const uris = Array.from({ length: 10_002 }, (_, each) => `watched://${each}`);
    const stream = await session.client.listen({ resourceSubscriptions: uris });
    expect(stream.honoredFilter.resourceSubscriptions).toHaveLength(10_000);
    expect(server.watched.size).toBe(10_000);
    expect(onTransportError.mock.calls.map(([{ message }]) => message)).toEqual([
      'a listen stream requests 10002 resources; only the first 10000 are watched',
    ]);
  });
});

describe('a server that watches nothing', () => {
  it.each(ERAS)('declares no support for subscriptions, in the %s era', async (era) => {
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
