import { McpServer, RequestContext, Tool } from '@org/mcp-decorators';
import { serveHttp } from '@org/mcp-host';
import { describe, expect, it } from 'vitest';

import { Consent } from '../../decorators/input-requests/asking-server.ts';
import { EventReader, type Message } from '../../support/http/event-reader.ts';
import { HttpClient, messageOf, notification, postModern, request, textOf, toolCall } from '../../support/http/http-client.ts';
import { bearer, ByName, serve } from '../../support/http/served.ts';

const CAPABILITIES = { elicitation: {}, sampling: {}, roots: {} };
const ROOTS = [{ uri: 'file:///srv' }];

const QUESTIONS = [
  {
    tool: 'ask',
    method: 'elicitation/create',
    answer: { action: 'accept', content: { name: 'Ada' } },
    result: 'Hello Ada',
  },
  {
    tool: 'model',
    method: 'sampling/createMessage',
    answer: { role: 'assistant', model: 'm', content: { type: 'text', text: 'Hello yourself' } },
    result: 'Hello yourself',
  },
  { tool: 'roots', method: 'roots/list', answer: { roots: ROOTS }, result: JSON.stringify(ROOTS) },
];

/** Returns the key and the method of the only question of a round. */
function questionOf({ result }: Message): { readonly key: string; readonly method: unknown } {
  const asked = Object.entries(result?.['inputRequests'] ?? {});
  expect(asked).toHaveLength(1);
  const [key, question] = asked[0]!;
  return { key, method: 'method' in question ? question.method : undefined };
}

describe.each(QUESTIONS)('a question sent by $method', ({ tool, method, answer, result }) => {
  it('is sent on the stream of the call in a session, answered by a POST, and the call then returns its result', async () => {
    await using served = await serve();
    const client = await HttpClient.open(served.url, { capabilities: CAPABILITIES });
    await using standalone = await client.listen();
    const call = await client.stream('call', tool);
    const question = await call.message();
    expect(question).toMatchObject({ method });
    const accepted = await client.post({ jsonrpc: '2.0', id: question.id, result: answer });
    expect([accepted.status, await accepted.text()]).toEqual([202, '']);
    const [message, ...others] = await call.messages();
    expect([message?.id, textOf(message!), others]).toEqual(['call', result, []]);
    await client.end();
    expect(await standalone.messages()).toEqual([]);
  });

  it('is sent as a result on 2026-07-28, and answered in the next round', async () => {
    await using served = await serve();
    const params = { name: tool, arguments: {} };
    const first = await messageOf(await postModern(served.url, { method: 'tools/call', params }));
    expect(first.result?.['resultType']).toBe('input_required');
    const { key, method: asked } = questionOf(first);
    expect(asked).toBe(method);
    const state = { requestState: first.result?.['requestState'], inputResponses: { [key]: answer } };
    const second = await messageOf(await postModern(served.url, { method: 'tools/call', params: { ...params, ...state } }));
    expect(textOf(second)).toBe(result);
  });
});

describe('a question', () => {
  it('that is lost with its stream is sent again when the client reconnects', async () => {
    await using served = await serve();
    const client = await HttpClient.open(served.url, { capabilities: CAPABILITIES });
    const gone = new AbortController();
    const call = await client.stream('call', 'ask', {}, { signal: gone.signal });
    await call.next();
    const position = call.lastEventId;
    await call.message();
    gone.abort();
    const again = await client.resume(position);
    const { id, method } = await again.message();
    expect(method).toBe('elicitation/create');
    await client.post({ jsonrpc: '2.0', id, result: { action: 'decline' } });
    expect(textOf(await again.message())).toBe('decline');
  });

  it('cannot be answered by another session', async () => {
    await using served = await serve();
    const [client, other] = [
      await HttpClient.open(served.url, { capabilities: CAPABILITIES }),
      await HttpClient.open(served.url, { capabilities: CAPABILITIES }),
    ];
    const call = await client.stream('call', 'ask');
    const { id } = await call.message();
    await other.post({ jsonrpc: '2.0', id, result: { action: 'accept', content: { name: 'Eve' } } });
    await client.post({ jsonrpc: '2.0', id, result: { action: 'accept', content: { name: 'Ada' } } });
    expect(textOf(await call.message())).toBe('Hello Ada');
  });

  it('ends when the call is cancelled', async () => {
    await using served = await serve();
    const client = await HttpClient.open(served.url, { capabilities: CAPABILITIES });
    const call = await client.stream('call', 'ask');
    const { id } = await call.message();
    await client.post(notification('notifications/cancelled', { requestId: 'call' }));
    expect((await call.messages()).filter((message) => message.id === 'call')).toEqual([]);
    expect((await client.post({ jsonrpc: '2.0', id, result: { action: 'decline' } })).status).toBe(202);
    expect(await client.call('say', { text: 'still here' })).toBe('still here');
  });

  it('on 2026-07-28 can be answered only by the principal that received it', async () => {
    await using served = await serve({ authenticator: new ByName() });
    const params = { name: 'ask', arguments: {} };
    const first = await messageOf(await postModern(served.url, { method: 'tools/call', params }, { headers: bearer('ada') }));
    const answer = { action: 'accept', content: { name: 'Ada' } };
    const state = { requestState: first.result?.['requestState'], inputResponses: { [questionOf(first).key]: answer } };
    const retry = { method: 'tools/call', params: { ...params, ...state } };
    const stolen = await messageOf(await postModern(served.url, retry, { headers: bearer('eve') }));
    expect(stolen.error?.code).toBe(-32_602);
    expect(textOf(await messageOf(await postModern(served.url, retry, { headers: bearer('ada') })))).toBe('Hello Ada');
  });

  it.each(['elicitation', 'sampling'])('is not sent to a client without the capability %s', async (capability) => {
    await using served = await serve();
    const tool = capability === 'sampling' ? 'model' : 'ask';
    const client = await HttpClient.open(served.url);
    expect(await client.call(tool)).toContain('CLIENT_CAPABILITY_REQUIRED');
    const meta = { 'io.modelcontextprotocol/clientCapabilities': {} };
    const params = { name: tool, arguments: {}, _meta: meta };
    const response = await postModern(served.url, { method: 'tools/call', params });
    expect([response.status, (await messageOf(response)).error?.code]).toEqual([400, -32_021]);
  });
});

describe('a message of a call', () => {
  it('is sent only on the stream of the call, not on other streams of the session', async () => {
    await using served = await serve();
    const client = await HttpClient.open(served.url);
    await using standalone = await client.listen();
    const waiting = await client.stream('waiting', 'wait', { text: 'x' });
    const { context, end } = await served.station.calls.next();
    const meta = { _meta: { progressToken: 'token' } };
    const reporting = request('reporting', 'tools/call', { name: 'report', arguments: { times: 2 }, ...meta });
    const told = await new EventReader(await client.post(reporting)).messages();
    expect(told.map(({ id, method }) => id ?? method)).toEqual([
      'notifications/message',
      'notifications/progress',
      'notifications/message',
      'notifications/progress',
      'reporting',
    ]);
    context.log.info('mine');
    end('the result');
    expect(await waiting.messages()).toMatchObject([{ params: { data: 'mine' } }, { id: 'waiting' }]);
    await client.end();
    expect(await standalone.messages()).toEqual([]);
  });

  it('is dropped after the result of the call', async () => {
    await using served = await serve();
    const client = await HttpClient.open(served.url);
    const posted = client.post(toolCall(1, 'wait', { text: 'x' }));
    const { context, end } = await served.station.calls.next();
    end('the result');
    expect(textOf(await messageOf(await posted))).toBe('the result');
    context.log.info('too late');
    context.progress(1, 2);
    expect(await client.call('say', { text: 'still here' })).toBe('still here');
    expect(served.service.gauges.storedEvents).toBe(0);
  });
});

describe('the state of a call of 2026-07-28', () => {
  it('does not bypass the rate limit of a tool in a session', async () => {
    @McpServer({ name: 'rare', version: '1.0.0' })
    class Rare {
      @Tool({ description: 'Ask' })
      async asks(context: RequestContext): Promise<string> {
        return (await context.elicit('consent', 'Well?', Consent)).action;
      }

      @Tool({ description: 'Once in an hour', rateLimit: { calls: 1, perSeconds: 3600 } })
      rare(): string {
        return 'done';
      }
    }
    await using service = await serveHttp({ '/mcp': new Rare() });
    const url = `${service.url}/mcp`;
    const asked = await messageOf(await postModern(url, { method: 'tools/call', params: { name: 'asks', arguments: {} } }));
    const requestState = asked.result?.['requestState'];
    expect(requestState).toBeTypeOf('string');
    const session = await HttpClient.open(url);
    expect(await session.call('rare')).toBe('done');
    const second = request(2, 'tools/call', { name: 'rare', arguments: {}, requestState });
    expect(textOf(await messageOf(await session.post(second)))).toMatch(/^RATE_LIMITED/);
  });
});
