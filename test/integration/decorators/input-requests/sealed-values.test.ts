import { createMcpHandler, type AuthInfo } from '@modelcontextprotocol/server';
import { Field, McpServer, RequestContext, serverFactory, Tool } from '@org/mcp-decorators';
import { connect, ERAS } from '@org/mcp-testing';
import { IsString } from 'class-validator';
import { afterEach, describe, expect, it, vi } from 'vitest';

import { httpCall } from '../../support/http-call.ts';

class Sealed {
  @Field('Return the sealed value') @IsString() text!: string;
}

@McpServer({ name: 'sealing', version: '1.0.0' })
class Sealing {
  @Tool({ description: 'Seal, and open again what is sealed' })
  async page({ text }: Sealed, context: RequestContext): Promise<string> {
    return text === '' ? context.seal({ from: [7, 'ä'] }) : JSON.stringify(await context.unseal(text));
  }

  @Tool({ description: 'Another tool' })
  async other({ text }: Sealed, context: RequestContext): Promise<string> {
    return JSON.stringify(await context.unseal(text));
  }
}

const REFUSED =
  'INVALID_ARGUMENTS: the cursor is unknown: it is older than a day, predates a restart, or belongs to another tool or caller\n' +
  'omit the cursor to start at the first page';

/** The two forms of sealed values: short handles without a shared key, and self-contained texts with a shared key. */
const KEYS = [
  ['as a handle', {}, /^[0-9a-hjkmnp-tv-z]{20}$/],
  ['by a shared key', { stateKey: 'k'.repeat(32) }, /^v1\./],
] as const;

function auth(clientId: string): AuthInfo {
  return { token: 't', clientId, scopes: ['read', 'write'] };
}

afterEach(() => {
  vi.useRealTimers();
});

describe.each(ERAS.flatMap((era) => KEYS.map((row) => [era, ...row] as const)))(
  'a sealed value, in the %s era, %s,',
  (era, _, serving, form) => {
    it('is returned unchanged', async () => {
      await using session = await connect(new Sealing(), { era, ...serving });
      const text = await session.text('page', { text: '' });
      expect(text).toMatch(form);
      expect(await session.text('page', { text })).toBe('{"from":[7,"ä"]}');
    });

    it.each<[attack: string, change: (text: string) => string]>([
      ['changed', (text) => text.replace(/^(.{6})./, (_, head: string) => `${head}~`)],
      ['cut off', (text) => text.slice(0, -4)],
      ['made up', () => 'v1.e30.AAAA'],
    ])('is rejected if it is %s', async (_attack, change) => {
      await using session = await connect(new Sealing(), { era, ...serving });
      const text = await session.text('page', { text: '' });
      expect(await session.fails('page', { text: change(text) })).toContain(REFUSED);
    });

    it('is rejected by another tool', async () => {
      await using session = await connect(new Sealing(), { era, ...serving });
      const text = await session.text('page', { text: '' });
      expect(await session.fails('other', { text })).toContain(REFUSED);
    });

    it('is rejected after a day', async () => {
      vi.useFakeTimers({ toFake: ['Date'] });
      await using session = await connect(new Sealing(), { era, ...serving });
      const text = await session.text('page', { text: '' });
      vi.setSystemTime(Date.now() + 86_399_000);
      expect(await session.text('page', { text })).toContain('from');
      vi.setSystemTime(Date.now() + 2000);
      expect(await session.fails('page', { text })).toContain(REFUSED);
    });
  },
);

/** Returns a function that calls the tool `page` as a principal. */
function pageAs(handler: ReturnType<typeof createMcpHandler>): (text: string, clientId: string) => Promise<string> {
  return async (text, clientId) => {
    const response = await handler.fetch(httpCall({ name: 'page', arguments: { text } }), { authInfo: auth(clientId) });
    return JSON.parse((await response.text()).replace(/^event: .*\ndata: /, '')).result.content[0].text;
  };
}

describe.each(KEYS)('a value that is sealed %s for one principal', (_, serving) => {
  it('is rejected from another principal', async () => {
    const call = pageAs(createMcpHandler(serverFactory(new Sealing(), serving)));
    const text = await call('', 'ada');
    expect(await call(text, 'eve')).toContain(REFUSED);
    expect(await call(text, 'ada')).toContain('from');
  });
});

describe('a value that another process sealed', () => {
  it('is opened with the shared key', async () => {
    const factories = [1, 2].map(() => serverFactory(new Sealing(), { stateKey: 'k'.repeat(32) }));
    const [one, other] = factories.map((factory) => pageAs(createMcpHandler(factory)));
    expect(await other?.((await one?.('', 'ada')) ?? '', 'ada')).toBe('{"from":[7,"ä"]}');
  });

  it('is rejected without a shared key', async () => {
    const [one, other] = [1, 2].map(() => pageAs(createMcpHandler(serverFactory(new Sealing()))));
    expect(await other?.((await one?.('', 'ada')) ?? '', 'ada')).toContain(REFUSED);
  });
});

describe('a handle', () => {
  it('is the same for the same value of the same caller, and different for another caller', async () => {
    const call = pageAs(createMcpHandler(serverFactory(new Sealing())));
    const [first, again, eve] = [await call('', 'ada'), await call('', 'ada'), await call('', 'eve')];
    expect(again).toBe(first);
    expect(eve).not.toBe(first);
  });

  it('is valid for a day after the same value was last sealed', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    await using session = await connect(new Sealing());
    const text = await session.text('page', { text: '' });
    vi.setSystemTime(Date.now() + 80_000_000);
    await session.text('page', { text: '' });
    vi.setSystemTime(Date.now() + 80_000_000);
    expect(await session.text('page', { text })).toContain('from');
  });
});
