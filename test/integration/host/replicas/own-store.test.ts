import { createHandler, serveHttp, type SessionStore, type StoredChange } from '@org/mcp-host';
import { describe, expect, it, vi } from 'vitest';

import { HttpClient } from '../../support/http/http-client.ts';
import { SeveralServer } from './several-server.ts';

const KEY = 'k'.repeat(32);

/** A store in the memory of one process, as a program may have it for its own tests. */
class MemoryStore implements SessionStore {
  readonly texts = new Map<string, string>();

  read(key: string): Promise<string | undefined> {
    return Promise.resolve(this.texts.get(key));
  }

  replace(key: string, { previous, next }: StoredChange): Promise<boolean> {
    if (this.texts.get(key) !== previous) return Promise.resolve(false);
    if (next === undefined) this.texts.delete(key);
    else this.texts.set(key, next);
    return Promise.resolve(true);
  }
}

describe('a store of a program', () => {
  it('lets one service continue the session of another one, at the same path only', async () => {
    const sharedSessions = { store: new MemoryStore(), key: KEY };
    const first = await serveHttp({ '/mcp': new SeveralServer() }, { sharedSessions });
    await using second = await serveHttp({ '/mcp': new SeveralServer(), '/other': new SeveralServer() }, { sharedSessions });
    const client = await HttpClient.open(`${first.url}/mcp`);
    const elsewhere = client.at(`${second.url}/mcp`);
    expect(await elsewhere.call('where_am_i')).toBe(String(process.pid));
    expect([first.gauges.sessions, second.gauges.sessions]).toEqual([1, 0]);
    await first.close();
    // The call is repeated, because a request on a connection that the first service is just closing may be answered with 502.
    await vi.waitFor(async () => expect(await elsewhere.call('where_am_i')).toBe(String(process.pid)));
    expect(second.gauges.sessions).toBe(1);
    expect((await client.at(`${second.url}/other`).get()).status).toBe(404);
    expect(await elsewhere.end()).toBe(200);
    expect(sharedSessions.store.texts.size).toBe(0);
  });

  it('rejects a handler without an address for the other processes, and a short key', async () => {
    const store = new MemoryStore();
    await expect(createHandler(new SeveralServer(), { sharedSessions: { store, key: KEY } })).rejects.toThrow(
      'sharedSessions needs a peerUrl',
    );
    await expect(serveHttp({ '/mcp': new SeveralServer() }, { sharedSessions: { store, key: 'short' } })).rejects.toThrow(
      RangeError,
    );
  });
});
