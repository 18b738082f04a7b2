import path from 'node:path';

import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { serveHttp } from '@org/mcp-host';
import { Session, type AnsweredRoot } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { FilesystemServer } from '../src/index.ts';
import { CASES, place, rootsAt, SESSIONS } from './rooted.ts';
import { optionsWith } from './temporary.ts';

/** A client that is asked for its roots, and answers when the test says so. */
class Asked {
  readonly #waiting: ((roots: readonly AnsweredRoot[]) => void)[] = [];
  readonly #counted: (() => void)[] = [];
  count = 0;

  readonly roots = (): Promise<readonly AnsweredRoot[]> => {
    this.count += 1;
    for (const counted of this.#counted.splice(0)) counted();
    return new Promise((resolve) => this.#waiting.push(resolve));
  };

  /** Answers what was asked first. */
  answer(...directories: readonly string[]): void {
    this.#waiting.shift()?.(rootsAt(...directories));
  }

  /** Resolves when it was asked so often. */
  async times(count: number): Promise<void> {
    while (this.count < count) await new Promise<void>((resolve) => this.#counted.push(resolve));
  }
}

function counting(...directories: readonly string[]): { count: number; roots: () => readonly AnsweredRoot[] } {
  const asked = { count: 0, roots: () => ((asked.count += 1), rootsAt(...directories)) };
  return asked;
}

const REMEDY = 'without its roots no path is allowed; repair the client, or start the server with --roots off';

describe.each(CASES)('a client that names roots, over $name,', ({ connect, era }) => {
  it.each<readonly [string, { readonly listChanged?: boolean }]>([
    ['announces changes', { listChanged: true }],
    ['does not announce changes', {}],
  ])('and %s is asked once in a session, for calls that follow at once, and by each call outside', async (_, roots) => {
    const root = await place();
    const asked = counting(root);
    await using session = await connect({ directories: [root], roots: asked.roots, capabilities: { roots } });
    expect(asked.count).toBe(0);
    for (let call = 0; call < 3; call += 1) await session.call('read_text_file', { path: 'open/a.txt' });
    expect(asked.count).toBe(era === 'legacy' ? 1 : 3);
  });
});

describe.each(SESSIONS)('a session over $name', ({ connect }) => {
  it('asks again after roots that changed while it was asking', async () => {
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

  it('denies while its client answers with an error', async () => {
    const root = await place();
    let fails = true;
    const roots = (): readonly AnsweredRoot[] => {
      if (fails) throw new Error('no roots today');
      return rootsAt(root);
    };
    await using session = await connect({ directories: [root], roots });
    const denied = `NO_ANSWER: the client failed to say which directories it allows\n${REMEDY}`;
    expect(await session.fails('read_text_file', { path: 'open/a.txt' })).toBe(denied);
    const resource = session.client.readResource({ uri: `file://${root}/open/a.txt` });
    await expect(resource).rejects.toThrow(denied);
    fails = false;
    expect(await session.text('read_text_file', { path: 'open/a.txt' })).toBe('open');
  });

  it('denies if its client never answers, and goes on', async () => {
    const root = await place();
    const asked = new Asked();
    await using session = await connect({ directories: [root], rootsTimeout: '50ms', roots: asked.roots });
    const denied = `NO_ANSWER: the client did not say within 50 ms which directories it allows\n${REMEDY}`;
    expect(await session.fails('read_text_file', { path: 'open/a.txt' })).toBe(denied);
    expect(await session.fails('list_allowed_directories')).toBe(denied);
    expect(await session.toolNames()).toContain('read_text_file');
    expect(asked.count).toBe(2);
    asked.answer(root);
    expect(await session.fails('read_text_file', { path: 'open/a.txt' })).toBe(denied);
  });

  it('asks for nothing more when the call is cancelled that asks', async () => {
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
  it('asks on the stream of the call, so that a client without any other stream is asked too', async () => {
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
