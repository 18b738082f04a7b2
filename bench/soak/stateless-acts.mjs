import { deepEqual, equal } from 'node:assert/strict';

import { CALL } from '../clients/requests.mjs';
import { answerIn, find, messagesOf, rawClient } from './raw-client.mjs';

const VERSION = '2026-07-28';
const NOTE = 'note:///one';

/** Runs a client of revision 2026-07-28 that performs one act after the other. Every act consists of one or two requests. */
export async function statelessClient(url, { pick, until, count }) {
  const client = rawClient(url);
  try {
    while (!until()) {
      const act = pick(Object.keys(ACTS));
      await ACTS[act](client);
      count(`2026-07-28, ${act}`);
    }
  } finally {
    client.close();
  }
}

const ACTS = {
  async quick(client) {
    deepEqual((await answerTo(client, 'quick', { text: 'hello' })).result.content, [{ type: 'text', text: 'hello' }]);
  },

  async slow(client) {
    equal((await answerTo(client, 'slow', { count: 3 })).result.content[0].text, '3 steps');
  },

  async fail(client) {
    equal((await answerTo(client, 'fail', {})).result.isError, true);
  },

  async crash(client) {
    equal((await answerTo(client, 'crash', {})).result.isError, true);
  },

  async big(client) {
    equal((await answerTo(client, 'big', { count: 512 })).result.content[0].text.length, 512 * 1024);
  },

  /** Disconnects without reading a large answer, whose data must not stay in the server's memory. */
  async leaveBig(client) {
    const response = await call(client, 'big', { count: 2048 });
    response.destroy();
  },

  async leaveSlow(client) {
    const response = await call(client, 'slow', { count: 1000 });
    await messagesOf(response).next();
    response.destroy();
  },

  /** Like `leaveBig`, but with a slow tool, which the server would answer with a stream. */
  async leaveSlowBig(client) {
    const response = await call(client, 'slow_big', { count: 2048 });
    response.destroy();
  },

  async ask(client) {
    const { result } = await answerTo(client, 'ask', {});
    equal(result.resultType, 'input_required');
    const inputResponses = { consent: { action: 'accept', content: { ok: true } } };
    const answered = await answerTo(client, 'ask', {}, { requestState: result.requestState, inputResponses });
    equal(answered.result.content[0].text, 'accept');
  },

  async askInVain(client) {
    equal((await answerTo(client, 'ask', {})).result.resultType, 'input_required');
  },

  /** Listens until a change is reported. */
  async listen(client) {
    const response = await listenTo(client, [NOTE]);
    const [{ message }] = await Promise.all([
      find(response, ({ method }) => method === 'notifications/resources/updated'),
      answerTo(client, 'change', { text: NOTE }),
    ]);
    equal(message.params.uri, NOTE);
    response.destroy();
  },

  async leaveListening(client) {
    const response = await listenTo(client, [`note:///${Math.random()}`]);
    response.destroy();
  },

  /** Disconnects without waiting until the server watches the resource. */
  async vanishListening(client) {
    await client.vanish('POST', ...listenRequest([`note:///${Math.random()}`]));
  },

  async vanish(client) {
    await client.vanish('POST', ...callRequest('slow', { count: 1000 }));
  },
};

function listenTo(client, uris) {
  return client.send('POST', ...listenRequest(uris));
}

function listenRequest(resourceSubscriptions) {
  const params = { notifications: { resourcesListChanged: true, resourceSubscriptions }, _meta: META };
  return asPosted({ jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params });
}

async function answerTo(client, name, args, more) {
  return answerIn(await call(client, name, args, more), 1);
}

function call(client, name, args, more) {
  return client.send('POST', ...callRequest(name, args, more));
}

/** The metadata of every request. */
const META = {
  ...CALL.stateless(1, {}).params._meta,
  'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
  progressToken: 'progress',
};

function callRequest(name, args, more) {
  const params = { name, arguments: args, ...more, _meta: META };
  return asPosted({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
}

/** Returns a message preceded by its headers. */
function asPosted(message) {
  const { method, params } = message;
  const headers = { 'MCP-Protocol-Version': VERSION, 'Mcp-Method': method, ...(params.name && { 'Mcp-Name': params.name }) };
  return [headers, message];
}
