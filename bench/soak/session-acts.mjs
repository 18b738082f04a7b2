import { deepEqual, equal } from 'node:assert/strict';

import { INITIALIZE, INITIALIZED } from '../clients/requests.mjs';
import { answerIn, find, messagesOf, rawClient, textOf } from './raw-client.mjs';

const NOTE = 'note:///one';

/** Maximum number of acts per session. */
const MOST_ACTS = 12;

/**
 * Runs a client of revision 2025-11-25 that opens sessions one after the other, and either ends each session correctly or
 * abandons it.
 */
export async function sessionClient(url, { pick, random, until, count }) {
  while (!until()) {
    const client = rawClient(url);
    try {
      if (pick([true, false, false, false])) await client.vanish('POST', {}, INITIALIZE);
      const session = await openSession(client);
      for (let left = Math.ceil(random() * MOST_ACTS); left > 0; left -= 1) {
        const act = pick(Object.keys(ACTS));
        await ACTS[act](session);
        count(`2025-11-25, ${act}`);
      }
      const end = pick(['delete', 'forget']);
      if (end === 'delete') equal((await session.end()).statusCode, 200);
      count(`2025-11-25, ${end} the session`);
    } finally {
      client.close();
    }
  }
}

async function openSession(client) {
  const opening = { ...INITIALIZE, params: { ...INITIALIZE.params, capabilities: { elicitation: { form: {} } } } };
  const response = await client.send('POST', {}, opening);
  equal((await answerIn(response, 1)).result.protocolVersion, '2025-11-25');
  const session = sessionOf(client, response.headers['mcp-session-id']);
  await session.tell(INITIALIZED);
  return session;
}

function sessionOf(client, sessionId) {
  const headers = { 'Mcp-Session-Id': sessionId, 'MCP-Protocol-Version': '2025-11-25' };
  let last = 1;
  const requestOf = (method, params) => ({ jsonrpc: '2.0', id: (last += 1), method, params });
  const request = async (method, params) => {
    const message = requestOf(method, params);
    return { id: message.id, response: await client.send('POST', headers, message) };
  };
  const call = (name, args) => request('tools/call', { name, arguments: args, _meta: { progressToken: 'progress' } });
  return {
    /** Sends a request. Resolves to its id and to the response as soon as the response has begun. */
    request,
    call,

    async answer(name, args) {
      const { id, response } = await call(name, args);
      return answerIn(response, id);
    },

    /** Sends a request and disconnects. */
    vanish: (method, params) => client.vanish('POST', headers, requestOf(method, params)),

    /** Sends a message that needs no response. */
    async tell(message) {
      const response = await client.send('POST', headers, message);
      equal(response.statusCode, 202);
      await textOf(response);
    },

    /** Opens the standalone stream, or resumes a stream after an event. */
    stream: (lastEventId) => client.send('GET', { ...headers, ...(lastEventId && { 'Last-Event-ID': lastEventId }) }),

    end: () => client.send('DELETE', headers),
  };
}

const ACTS = {
  async quick(session) {
    deepEqual((await session.answer('quick', { text: 'hello' })).result.content, [{ type: 'text', text: 'hello' }]);
  },

  async slow(session) {
    equal((await session.answer('slow', { count: 8 })).result.content[0].text, '8 steps');
  },

  async fail(session) {
    equal((await session.answer('fail', {})).result.isError, true);
  },

  async crash(session) {
    equal((await session.answer('crash', {})).result.isError, true);
  },

  async big(session) {
    equal((await session.answer('big', { count: 512 })).result.content[0].text.length, 512 * 1024);
  },

  async leaveBig(session) {
    const { response } = await session.call('big', { count: 2048 });
    response.destroy();
  },

  async cancel(session) {
    const { id, response } = await session.call('slow', { count: 1000 });
    await messagesOf(response).next();
    await session.tell({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } });
    await textOf(response);
  },

  /** Loses the connection during a call and reconnects for its result. */
  async resume(session) {
    const { id, response } = await session.call('slow', { count: 6 });
    const { value } = await messagesOf(response).next();
    response.destroy();
    equal((await answerIn(await session.stream(value.id), id)).result.content[0].text, '6 steps');
  },

  async resumeBig(session) {
    const { id, response } = await session.call('slow_big', { count: 512 });
    const { value } = await messagesOf(response).next();
    response.destroy();
    equal((await answerIn(await session.stream(value.id), id)).result.content[0].text.length, 512 * 1024);
  },

  /** Loses the connection during a call, and does not reconnect. */
  async leaveSlow(session) {
    const { response } = await session.call('slow', { count: 20 });
    await messagesOf(response).next();
    response.destroy();
  },

  async ask(session) {
    const { id, response } = await session.call('ask', {});
    const { message } = await find(response, ({ method }) => method === 'elicitation/create');
    await session.tell({ jsonrpc: '2.0', id: message.id, result: { action: 'accept', content: { ok: true } } });
    const answer = await find(response, (each) => each.id === id);
    equal(answer.message.result.content[0].text, 'accept');
  },

  async askInVain(session) {
    const { response } = await session.call('ask', {});
    await find(response, ({ method }) => method === 'elicitation/create');
    response.destroy();
  },

  /** Receives a change of a subscribed resource on the stream of its own session. */
  async subscribe(session) {
    const stream = await onlyStream(session);
    const subscribed = await session.request('resources/subscribe', { uri: NOTE });
    await answerIn(subscribed.response, subscribed.id);
    await Promise.all([
      find(stream, ({ method }) => method === 'notifications/resources/updated'),
      session.answer('change', { text: NOTE }),
    ]);
    const unsubscribed = await session.request('resources/unsubscribe', { uri: NOTE });
    await answerIn(unsubscribed.response, unsubscribed.id);
    stream.destroy();
  },

  async vanish(session) {
    await session.vanish('tools/call', { name: 'slow', arguments: { count: 10 } });
  },

  async vanishSubscribing(session) {
    await session.vanish('resources/subscribe', { uri: `note:///${Math.random()}` });
  },

  async leaveSubscribed(session) {
    const { id, response } = await session.request('resources/subscribe', { uri: `note:///${Math.random()}` });
    await answerIn(response, id);
  },
};

/** Opens the standalone stream. Retries, because the server may not yet have noticed that the previous stream is closed. */
async function onlyStream(session) {
  for (;;) {
    const response = await session.stream();
    if (response.statusCode !== 409) return response;
    await textOf(response);
  }
}
