import { createMcpHandler, type AuthInfo } from '@modelcontextprotocol/server';
import { McpServer, RequestContext, serverFactory, Tool } from '@org/mcp-decorators';
import { afterEach, describe, expect, it, vi } from 'vitest';

import { httpCall } from '../../support/http-call.ts';
import { Wire, type Answer } from '../../support/wire.ts';
import { AskingServer, Consent } from './asking-server.ts';
import { call, failure, INVALID_STATE, KEY, memory, REMOVE, roundOf, USED, YES } from './rounds.ts';

function auth(clientId: string, subject?: string): AuthInfo {
  return { token: 't', clientId, scopes: ['read', 'write'], ...(subject !== undefined && { extra: { sub: subject } }) };
}

/** Returns a function that calls a tool over HTTP, because only HTTP requests have a principal. */
function sendAs(server: object): (params: { readonly name: string }, principal: AuthInfo | undefined) => Promise<Answer> {
  const handler = createMcpHandler(serverFactory(server));
  return async (params, principal) => {
    const response = await handler.fetch(httpCall(params), principal === undefined ? {} : { authInfo: principal });
    return JSON.parse((await response.text()).replace(/^event: .*\ndata: /, ''));
  };
}

function flipped(text: string, position: number): string {
  const at = position < 0 ? text.length + position : position;
  return `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`;
}

afterEach(() => {
  vi.useRealTimers();
});

describe('the state of a call that waits for an answer', () => {
  it('lets the call finish', async () => {
    await using wire = await Wire.to(new AskingServer());
    const { requestState, inputRequests } = roundOf(await call(wire, REMOVE));
    expect(inputRequests).toMatchObject({ consent: { method: 'elicitation/create', params: { message: 'Remove a.md?' } } });
    expect(await call(wire, { ...REMOVE, requestState, inputResponses: YES })).toMatchObject({
      result: { content: [{ text: 'removed' }] },
    });
  });

  it('is accepted with the same arguments in another order', async () => {
    await using wire = await Wire.to(new AskingServer());
    const { requestState } = roundOf(await call(wire, REMOVE));
    const reordered = { name: 'remove', arguments: { times: 2, path: 'a.md' } };
    expect(await call(wire, { ...reordered, requestState, inputResponses: YES })).toMatchObject({
      result: { content: [{ text: 'removed' }] },
    });
  });

  it('is accepted by another process that has the same key and the same memory of used states', async () => {
    const spent = memory();
    await using first = await Wire.to(new AskingServer(), { stateKey: KEY, spent });
    const { requestState } = roundOf(await call(first, REMOVE));
    const retry = { ...REMOVE, requestState, inputResponses: YES };
    await using second = await Wire.to(new AskingServer(), { stateKey: KEY, spent });
    expect(await call(second, retry)).toMatchObject({ result: { content: [{ text: 'removed' }] } });
    expect(await call(first, retry)).toMatchObject(USED);
  });

  it.each([
    ['has the same key and another memory of used states', KEY, failure('the requestState was made by another process')],
    ['has another key', 'o'.repeat(32), INVALID_STATE],
  ])('is rejected by a process that %s', async (_, stateKey, refusal) => {
    await using first = await Wire.to(new AskingServer(), { stateKey: KEY });
    const { requestState } = roundOf(await call(first, REMOVE));
    const server = new AskingServer();
    await using second = await Wire.to(server, { stateKey, spent: memory() });
    expect(await call(second, { ...REMOVE, requestState, inputResponses: YES })).toMatchObject(refusal);
    expect(server.state().effects).toEqual([]);
  });

  it.each<[attack: string, change: (retry: Record<string, unknown>) => Record<string, unknown>]>([
    ['changed at its beginning', (retry) => ({ ...retry, requestState: flipped(String(retry['requestState']), 4) })],
    ['changed at its end', (retry) => ({ ...retry, requestState: flipped(String(retry['requestState']), -2) })],
    ['cut off', (retry) => ({ ...retry, requestState: String(retry['requestState']).slice(0, -8) })],
    ['empty', (retry) => ({ ...retry, requestState: '' })],
    ['made up', (retry) => ({ ...retry, requestState: `v1.${btoa('{"p":{"call":"x"},"exp":9999999999}')}.AAAA` })],
    ['not a string', (retry) => ({ ...retry, requestState: { call: 'x' } })],
    ['of a call with other arguments', (retry) => ({ ...retry, arguments: { path: 'b.md', times: 2 } })],
    ['of a call of another tool', (retry) => ({ ...retry, name: 'two_steps', arguments: {} })],
  ])('is rejected if it is %s, and the call has no effect', async (_, change) => {
    const server = new AskingServer();
    await using wire = await Wire.to(server, { stateKey: KEY });
    const { requestState } = roundOf(await call(wire, REMOVE));
    expect(await call(wire, change({ ...REMOVE, requestState, inputResponses: YES }))).toMatchObject({
      error: { code: -32_602 },
    });
    expect(server.state().effects).toEqual([]);
  });

  it('is rejected in a request of another method', async () => {
    await using wire = await Wire.to(new AskingServer(), { stateKey: KEY });
    const { requestState } = roundOf(await call(wire, { name: 'two_steps' }));
    const asPrompt = { name: 'greet', requestState, inputResponses: YES };
    expect(await wire.send({ method: 'prompts/get', params: asPrompt })).toMatchObject(INVALID_STATE);
  });

  it('is rejected after it has expired', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    await using wire = await Wire.to(new AskingServer());
    const { requestState } = roundOf(await call(wire, REMOVE));
    const { requestState: later } = roundOf(await call(wire, REMOVE));
    vi.setSystemTime(Date.now() + 599_000);
    roundOf(await call(wire, { ...REMOVE, requestState: later }));
    vi.setSystemTime(Date.now() + 2000);
    expect(await call(wire, { ...REMOVE, requestState, inputResponses: YES })).toMatchObject(INVALID_STATE);
  });

  it.each([
    ['another client', auth('eve')],
    ['another user of the same client', auth('ada', 'eve')],
    ['nobody', undefined],
  ])('is rejected from %s', async (_, stranger) => {
    const server = new AskingServer();
    const send = sendAs(server);
    const { requestState } = roundOf(await send(REMOVE, auth('ada', 'ada')));
    const retry = { ...REMOVE, requestState, inputResponses: YES };
    expect(await send(retry, stranger)).toMatchObject(INVALID_STATE);
    expect(server.state().effects).toEqual([]);
    expect(await send(retry, auth('ada', 'ada'))).toMatchObject({ result: { content: [{ text: 'removed' }] } });
  });

  it('lets a call of a tool with a rate limit continue, and a replay is rejected without being counted', async () => {
    @McpServer({ name: 'rare', version: '1.0.0' })
    class Rare {
      @Tool({ description: 'Once in an hour', rateLimit: { calls: 1, perSeconds: 3600 } })
      async rare(context: RequestContext): Promise<string> {
        return (await context.elicit('consent', 'Well?', Consent)).action;
      }
    }
    await using wire = await Wire.to(new Rare());
    const { requestState } = roundOf(await call(wire, { name: 'rare' }));
    const retry = { name: 'rare', requestState, inputResponses: YES };
    expect(await call(wire, retry)).toMatchObject({ result: { content: [{ text: 'accept' }] } });
    expect(await call(wire, retry)).toMatchObject(USED);
    expect(await call(wire, { name: 'rare' })).toMatchObject(failure('rare is limited', 'RATE_LIMITED'));
  });

  it('contains only the answers of the client', async () => {
    await using wire = await Wire.to(new AskingServer());
    const { requestState } = roundOf(await call(wire, { name: 'two_steps' }));
    const payload: unknown = JSON.parse(Buffer.from(requestState.split('.')[1] ?? '', 'base64url').toString());
    expect(payload).toMatchObject({ p: { answers: {}, attempts: {} } });
    expect(JSON.stringify(payload)).not.toContain('two_steps');
  });
});

describe('answers in a retry of a call', () => {
  it.each<[what: string, responses: unknown]>([
    ['under another key', { other: { action: 'accept', content: { ok: true } } }],
    ['as a number', { consent: 12_345 }],
    ['as another kind of answer', { consent: { roots: [] } }],
    ['with an action that does not exist', { consent: { action: 'agree', content: { ok: true } } }],
    ['without content', { consent: { action: 'accept' } }],
    ['with a content of the wrong type', { consent: { action: 'accept', content: { ok: 'true' } } }],
    ['with a property that was not asked for', { consent: { action: 'accept', content: { ok: true, also: 1 } } }],
    ['with a prototype', { consent: { action: 'accept', content: JSON.parse('{"ok":true,"__proto__":{"a":1}}') } }],
  ])('%s are requested again', async (_, inputResponses) => {
    const server = new AskingServer();
    await using wire = await Wire.to(server);
    const { requestState } = roundOf(await call(wire, REMOVE));
    const again = roundOf(await call(wire, { ...REMOVE, requestState, inputResponses }));
    expect(Object.keys(again.inputRequests)).toEqual(['consent']);
    expect(server.state().effects).toEqual([]);
  });

  it('may include more answers than were requested', async () => {
    await using wire = await Wire.to(new AskingServer());
    const { requestState } = roundOf(await call(wire, REMOVE));
    const inputResponses = { ...YES, other: { action: 'decline' } };
    expect(await call(wire, { ...REMOVE, requestState, inputResponses })).toMatchObject({
      result: { content: [{ text: 'removed' }] },
    });
  });

  it('may be incomplete: the missing answers are requested again', async () => {
    await using wire = await Wire.to(new AskingServer());
    const first = roundOf(await call(wire, { name: 'three_at_once' }));
    expect(Object.keys(first.inputRequests).toSorted()).toEqual(['client_roots', 'greeting', 'name']);
    const inputResponses = { name: { action: 'accept', content: { name: 'Ada' } } };
    const second = roundOf(await call(wire, { name: 'three_at_once', requestState: first.requestState, inputResponses }));
    expect(Object.keys(second.inputRequests).toSorted()).toEqual(['client_roots', 'greeting']);
    expect(second.requestState).not.toBe(first.requestState);
    const rest = {
      greeting: { role: 'assistant', model: 'm', content: { type: 'text', text: 'Hello' } },
      client_roots: { roots: [{ uri: 'file:///notes' }] },
    };
    expect(await call(wire, { name: 'three_at_once', requestState: second.requestState, inputResponses: rest })).toMatchObject({
      result: { content: [{ text: 'Hello Ada, of file:///notes' }] },
    });
  });
});
