import path from 'node:path';

import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { serveHttp } from '@org/mcp-host';
import { Session, type ReportedRoot } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { FilesystemServer } from '../../src/index.ts';
import { CASES, place, rootsAt, SESSIONS } from '../fixtures/rooted.ts';
import { optionsWith } from '../fixtures/temporary.ts';

/** A client that answers requests for its roots when the test calls `answer`. */
class Asked {
  readonly #waiting: ((roots: readonly ReportedRoot[]) => void)[] = [];
  readonly #counted: (() => void)[] = [];
  count = 0;

  readonly roots = (): Promise<readonly ReportedRoot[]> => {
    this.count += 1;
    for (const counted of this.#counted.splice(0)) counted();
    return new Promise((resolve) => this.#waiting.push(resolve));
  };

  /** Answers the oldest pending request. */
  answer(...directories: readonly string[]): void {
    this.#waiting.shift()?.(rootsAt(...directories));
  }

  /** Resolves after the client has received this number of requests in total. */
  async times(count: number): Promise<void> {
    while (this.count < count) await new Promise<void>((resolve) => this.#counted.push(resolve));
  }
}

function counting(...directories: readonly string[]): { count: number; roots: () => readonly ReportedRoot[] } {
  const asked = { count: 0, roots: () => ((asked.count += 1), rootsAt(...directories)) };
  return asked;
}

const REMEDY = 'no path is allowed without the roots; fix the client, or start the server with --roots off';

describe.each(CASES)('a client with roots, over $name,', ({ connect, era }) => {
  it.each<readonly [string, { readonly listChanged?: boolean }]>([
    ['announces changes', { listChanged: true }],
    ['does not announce changes', {}],
  ])('receives one request in a session, and one request per call outside sessions, if it %s', async (_, roots) => {
    const root = await place();
    const asked = counting(root);
    await using session = await connect({ directories: [root], roots: asked.roots, capabilities: { roots } });
    expect(asked.count).toBe(0);
    for (let call = 0; call < 3; call += 1) await session.call('read_text_file', { path: 'open/a.txt' });
    expect(asked.count).toBe(era === 'legacy' ? 1 : 3);
  });
});

describe.each(SESSIONS)('a session over $name', ({ connect }) => {
  it('requests roots again if they changed during the request', async () => {
    const root = await place();
    const asked = new Asked();
    await using session = await connect({ directories: [root], roots: asked.roots });
    const call = session.start('list_allowed_directories');
    await asked.times(1);
    await session.client.sendRootsListChanged();
    asked.answer(path.join(root, 'closed'));
    await call.result;
    const next = session.start('list_allowed_directories');
    await asked.times(2);
    asked.answer(path.join(root, 'open'));
    expect((await next.result).structuredContent).toMatchObject({ directories: [{ path: path.join(root, 'open') }] });
    expect(await session.text('read_text_file', { path: 'a.txt' })).toBe('open');
    expect(asked.count).toBe(2);
  });

  it('denies access while its client responds with an error', async () => {
    const root = await place();
    let fails = true;
    const roots = (): readonly ReportedRoot[] => {
      if (fails) throw new Error('no roots today');
      return rootsAt(root);
    };
    await using session = await connect({ directories: [root], roots });
    const denied = `NO_ANSWER: the client failed to report its roots\n${REMEDY}`;
    expect(await session.fails('read_text_file', { path: 'open/a.txt' })).toBe(denied);
    const resource = session.client.readResource({ uri: `file://${root}/open/a.txt` });
    await expect(resource).rejects.toThrow(denied);
    fails = false;
    expect(await session.text('read_text_file', { path: 'open/a.txt' })).toBe('open');
  });

  it('denies access if its client never responds, and continues', async () => {
    const root = await place();
    const asked = new Asked();
    await using session = await connect({ directories: [root], rootsTimeout: 50, roots: asked.roots });
    const denied = `NO_ANSWER: the client did not report its roots within 50 ms\n${REMEDY}`;
    expect(await session.fails('read_text_file', { path: 'open/a.txt' })).toBe(denied);
    expect(await session.fails('list_allowed_directories')).toBe(denied);
    expect(await session.toolNames()).toContain('read_text_file');
    expect(asked.count).toBe(2);
    asked.answer(root);
    expect(await session.fails('read_text_file', { path: 'open/a.txt' })).toBe(denied);
  });

  it('sends no further request when its call is cancelled', async () => {
    const root = await place();
    const asked = new Asked();
    await using session = await connect({ directories: [root], roots: asked.roots });
    const call = session.start('read_text_file', { path: 'open/a.txt' });
    await asked.times(1);
    call.cancel('enough');
    await expect(call.result).rejects.toThrow('enough');
    asked.answer(path.join(root, 'open'));
    const next = session.start('read_text_file', { path: 'closed/b.txt' });
    await asked.times(2);
    asked.answer(root);
    expect((await next.result).content).toEqual([{ type: 'text', text: 'closed' }]);
  });
});

describe('a session over HTTP', () => {
  it('requests roots on the stream of the call, which works for a client without another stream', async () => {
    const root = await place();
    await using server = new FilesystemServer(optionsWith({ directories: [root] }));
    await server.open();
    await using service = await serveHttp({ '/mcp': server });
    const gets: string[] = [];
    const fetchWithoutGet = async (url: string | URL, init?: RequestInit): Promise<Response> => {
      if (init?.method !== 'GET') return fetch(url, init);
      gets.push(String(url));
      return new Response(undefined, { status: 405 });
    };
    const transport = new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), { fetch: fetchWithoutGet });
    const asked = counting(path.join(root, 'open'));
    await using session = await Session.open(transport, { era: 'legacy', roots: asked.roots }, () => Promise.resolve());
    expect(await session.text('read_text_file', { path: 'a.txt' })).toBe('open');
    expect(await session.text('read_text_file', { path: 'a.txt' })).toBe('open');
    expect([asked.count, gets.length]).toEqual([1, 1]);
  });
});
