import { createMcpHandler, type AuthInfo } from '@modelcontextprotocol/server';
import { Field, McpServer, RequestContext, serverFactory, Tool } from '@org/mcp-decorators';
import { IsString } from 'class-validator';
import { afterEach, describe, expect, it, vi } from 'vitest';

import { connect, ERAS } from '../src/index.ts';
import { httpCall } from './http-call.ts';

class Sealed {
  @Field('What was sealed') @IsString() text!: string;
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

const REFUSED = 'INVALID_ARGUMENTS: the cursor was not made by this tool for this caller, or is older than a day';

function auth(clientId: string): AuthInfo {
  return { token: 't', clientId, scopes: [] };
}

afterEach(() => {
  vi.useRealTimers();
});

describe.each(ERAS)('a sealed value, in the %s era,', (era) => {
  it('comes back as it was', async () => {
    await using session = await connect(new Sealing(), { era });
    const text = await session.text('page', { text: '' });
    expect(await session.text('page', { text })).toBe('{"from":[7,"ä"]}');
  });

  it.each<[attack: string, change: (text: string) => string]>([
    ['changed', (text) => text.replace(/^(.{6})./, (_, head: string) => `${head}~`)],
    ['cut off', (text) => text.slice(0, -4)],
    ['made up', () => 'v1.e30.AAAA'],
  ])('is refused if it is %s', async (_, change) => {
    await using session = await connect(new Sealing(), { era });
    const text = await session.text('page', { text: '' });
    expect(await session.fails('page', { text: change(text) })).toContain(REFUSED);
  });

  it('is refused by another tool', async () => {
    await using session = await connect(new Sealing(), { era });
    const text = await session.text('page', { text: '' });
    expect(await session.fails('other', { text })).toContain(REFUSED);
  });

  it('is refused after a day', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    await using session = await connect(new Sealing(), { era });
    const text = await session.text('page', { text: '' });
    vi.setSystemTime(Date.now() + 86_399_000);
    expect(await session.text('page', { text })).toContain('from');
    vi.setSystemTime(Date.now() + 2000);
    expect(await session.fails('page', { text })).toContain(REFUSED);
  });
});

describe('a sealed value of one principal', () => {
  it('is refused from another', async () => {
    const handler = createMcpHandler(serverFactory(new Sealing()));
    const call = async (text: string, clientId: string): Promise<string> => {
      const response = await handler.fetch(httpCall({ name: 'page', arguments: { text } }), { authInfo: auth(clientId) });
      return JSON.parse((await response.text()).replace(/^event: .*\ndata: /, '')).result.content[0].text;
    };
    const text = await call('', 'ada');
    expect(await call(text, 'eve')).toContain(REFUSED);
    expect(await call(text, 'ada')).toContain('from');
  });
});
