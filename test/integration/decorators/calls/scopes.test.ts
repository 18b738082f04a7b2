import { createMcpHandler, WebStandardStreamableHTTPServerTransport, type AuthInfo } from '@modelcontextprotocol/server';
import { Complete, McpServer, Prompt, Resource, serverFactory, Tool } from '@org/mcp-decorators';
import { IsString } from 'class-validator';
import { describe, expect, it } from 'vitest';

import { ENVELOPE } from '../../support/wire.ts';

class Topic {
  @IsString() topic!: string;
}

@McpServer({ name: 'vault', version: '1.0.0' })
class Vault {
  readonly opened: string[] = [];

  @Tool({ description: 'Open the vault', scopes: ['admin'] }) open(): string {
    return this.#open('tool');
  }
  @Tool({ description: 'Show the time', scopes: [] }) showTime(): string {
    return 'noon';
  }
  @Resource({ uri: 'vault://gold' }) gold(): string {
    return this.#open('resource');
  }
  @Prompt({ description: 'Ask about the vault' }) ask(_input: Topic): string {
    return this.#open('prompt');
  }
  @Complete({ prompt: 'ask', argument: 'topic' }) topics(): readonly string[] {
    return [this.#open('completion')];
  }
  watch(): Promise<AsyncDisposable> {
    this.#open('watch');
    return Promise.resolve({ [Symbol.asyncDispose]: () => Promise.resolve() });
  }

  #open(what: string): string {
    this.opened.push(what);
    return what;
  }
}

const OPEN = { method: 'tools/call', params: { name: 'open' } };
const TIME = { method: 'tools/call', params: { name: 'show_time' } };
const GOLD = { method: 'resources/read', params: { uri: 'vault://gold' } };
const ASK = { method: 'prompts/get', params: { name: 'ask', arguments: { topic: 'gold' } } };
const COMPLETE = {
  method: 'completion/complete',
  params: { ref: { type: 'ref/prompt', name: 'ask' }, argument: { name: 'topic', value: '' } },
};
const SUBSCRIBE = { method: 'resources/subscribe', params: { uri: 'vault://gold' } };

interface Message {
  readonly method: string;
  readonly params: object;
}

/** For each era, a function that sends one request through the SDK's own handler, which checks no scopes. */
const HANDLERS = {
  async modern(server: object, { method, params }: Message, authInfo: AuthInfo | undefined): Promise<unknown> {
    const name = Object.entries(params).find(([key]) => ['name', 'uri'].includes(key))?.[1];
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, ...(name && { 'mcp-name': String(name) }) };
    const request = post({ method, params: { ...params, _meta: ENVELOPE } }, headers);
    return readMessage(await createMcpHandler(serverFactory(server)).fetch(request, authInfo && { authInfo }));
  },
  async legacy(server: object, message: Message, authInfo: AuthInfo | undefined): Promise<unknown> {
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    const protocol = serverFactory(server)({ era: 'legacy' });
    await protocol.connect(transport);
    const answer = await transport.handleRequest(post(message), authInfo && { authInfo });
    const read = await readMessage(answer);
    await protocol.close();
    return read;
  },
};

function post(message: Message, headers: Readonly<Record<string, string>> = {}): Request {
  return new Request('http://localhost/mcp', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
  });
}

async function readMessage(answer: Response): Promise<unknown> {
  const text = await answer.text();
  return JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text);
}

function tokenWith(...scopes: string[]): AuthInfo {
  return { token: 'secret', clientId: 'ada', scopes };
}

describe.each(['modern', 'legacy'] as const)('a %s request with a token, over any transport,', (era) => {
  it.each<[attack: string, message: Message, scopes: readonly string[], missing: string]>([
    ['a tool with another scope', OPEN, ['read', 'write'], 'admin'],
    ['a tool without a scope', OPEN, [], 'admin'],
    ['a resource', GOLD, ['admin'], 'read'],
    ['a prompt', ASK, ['admin'], 'read'],
    ['a completion', COMPLETE, ['write'], 'read'],
  ])('does not reach %s', async (_, message, scopes, missing) => {
    const server = new Vault();
    expect(await HANDLERS[era](server, message, tokenWith(...scopes))).toMatchObject({
      error: {
        code: -32_600,
        message: `The access token lacks a scope; necessary: ${missing}`,
        data: { requiredScopes: [missing] },
      },
    });
    expect(server.opened).toEqual([]);
  });

  it.each<[what: string, message: Message, scopes: readonly string[] | undefined]>([
    ['a tool with its scope', OPEN, ['admin']],
    ['a tool that needs no scope', TIME, []],
    ['a resource with the scope read', GOLD, ['read']],
    ['a prompt with the scope read', ASK, ['read']],
    ['everything without a token', OPEN, undefined],
  ])('reaches %s', async (_, message, scopes) => {
    expect(await HANDLERS[era](new Vault(), message, scopes && tokenWith(...scopes))).toHaveProperty('result');
  });
});

describe('a subscription in a session with a token', () => {
  it('needs the scope read', async () => {
    const server = new Vault();
    expect(await HANDLERS.legacy(server, SUBSCRIBE, tokenWith('admin'))).toMatchObject({ error: { code: -32_600 } });
    expect(server.opened).toEqual([]);
    expect(await HANDLERS.legacy(server, SUBSCRIBE, tokenWith('read'))).toMatchObject({ result: {} });
  });
});
