import { deepEqual, equal, rejects } from 'node:assert/strict';

import { Client, SSEClientTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

const NOTE = 'note:///one';

/** Maximum number of acts per connection. */
const MOST_ACTS = 12;

/**
 * Runs the official client, which connects repeatedly and either ends its sessions correctly or only closes the
 * connection.
 */
export async function officialClient(version, url, { pick, random, until, count }) {
  while (!until()) {
    const connection = await connect(version, url);
    try {
      for (let left = Math.ceil(random() * MOST_ACTS); left > 0; left -= 1) {
        const act = pick(connection.acts);
        await ACTS[act](connection);
        count(`official ${version}, ${act}`);
      }
      if (pick([true, false])) await connection.transport.terminateSession?.();
    } finally {
      await connection.client.close();
    }
  }
}

async function connect(version, url) {
  const isOld = version === '2024-11-05';
  const isModern = version === '2026-07-28';
  const transport = isOld ? new SSEClientTransport(new URL('sse', url)) : new StreamableHTTPClientTransport(new URL(url));
  const negotiation = isModern ? { versionNegotiation: { mode: { pin: version } } } : { supportedProtocolVersions: [version] };
  const client = new Client({ name: 'soak', version: '1.0.0' }, { ...negotiation, capabilities: { elicitation: {} } });
  let updated = () => undefined;
  client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { ok: true } }));
  client.setNotificationHandler('notifications/resources/updated', () => updated());
  await client.connect(transport);
  return {
    client,
    transport,
    acts: Object.keys(ACTS).filter((act) => act !== 'ask' || !isOld),
    call: (name, args, options) => client.callTool({ name, arguments: args }, options),

    /** Resolves with the next update. */
    updated: () => new Promise((resolve) => (updated = resolve)),

    /** Subscribes to a resource. Resolves to a function that ends the subscription. */
    async subscribe(uri) {
      if (isModern) {
        const stream = await client.listen({ resourceSubscriptions: [uri] });
        return () => stream.close();
      }
      await client.subscribeResource({ uri });
      return () => client.unsubscribeResource({ uri });
    },
  };
}

const ACTS = {
  async quick(connection) {
    deepEqual((await connection.call('quick', { text: 'hello' })).content, [{ type: 'text', text: 'hello' }]);
  },

  async list({ client }) {
    equal((await client.listTools()).tools[0].name, 'quick');
  },

  async slow(connection) {
    const { content } = await connection.call('slow', { count: 4 }, { onprogress: () => undefined });
    equal(content[0].text, '4 steps');
  },

  async fail(connection) {
    equal((await connection.call('fail', {})).isError, true);
  },

  async big(connection) {
    equal((await connection.call('big', { count: 256 })).content[0].text.length, 256 * 1024);
  },

  async cancel(connection) {
    const abort = new AbortController();
    const onprogress = () => abort.abort();
    await rejects(connection.call('slow', { count: 1000 }, { signal: abort.signal, onprogress }));
  },

  async ask(connection) {
    equal((await connection.call('ask', {})).content[0].text, 'accept');
  },

  async subscribe(connection) {
    const end = await connection.subscribe(NOTE);
    await Promise.all([connection.updated(), connection.call('change', { text: NOTE })]);
    await end();
  },

  async leaveSubscribed(connection) {
    await connection.subscribe(`note:///${Math.random()}`);
  },
};
