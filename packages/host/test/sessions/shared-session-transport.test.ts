import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';

import { Admission } from '../../src/auth/admission.ts';
import { EventBudget, EventLog } from '../../src/sessions/event-log.ts';
import { SharedSessionTransport } from '../../src/sessions/shared-session-transport.ts';
import type { SessionState } from '../../src/shared-state/session-record.ts';
import { answering, ask } from '../http/answering.ts';

const SUBSCRIBE: JSONRPCMessage = { jsonrpc: '2.0', id: 1, method: 'resources/subscribe', params: { uri: 'a:1' } };
const ANSWER: JSONRPCMessage = { jsonrpc: '2.0', id: 1, result: {} };

/** Posts a subscription to a session, runs `answer`, and returns the states that were stored. */
async function storedBy(answer: (transport: SharedSessionTransport) => Promise<void>): Promise<readonly SessionState[]> {
  const stored: SessionState[] = [];
  const save = (state: SessionState): Promise<void> => Promise.resolve(void stored.push(state));
  const transport = new SharedSessionTransport('session', new EventLog(new EventBudget(1e6)), save);
  await using server = await answering(async (_, response) => {
    const posted = transport.post({ messages: [SUBSCRIBE], isBatch: false, admission: new Admission() }, response);
    await answer(transport);
    await posted;
  });
  await (await ask(server)).toArray();
  return stored;
}

describe('the transport of a shared session', () => {
  it('stores a subscription before its client learns of it', async () => {
    expect(await storedBy((transport) => transport.send(ANSWER))).toEqual([{ initialize: {}, subscribed: ['a:1'] }]);
  });

  it('stores nothing after its session has ended, so that no process continues the session', async () => {
    const stored = await storedBy(async (transport) => {
      await transport.close();
      await transport.send(ANSWER);
      await transport.sendText(JSON.stringify(ANSWER), ANSWER);
    });
    expect(stored).toEqual([]);
  });

  it('does not wait for a restored session that is closed', async () => {
    const state = { initialize: {}, subscribed: [] };
    const transport = new SharedSessionTransport('session', new EventLog(new EventBudget(1e6)), () => Promise.resolve(), state);
    const restored = transport.restore(undefined);
    await transport.close();
    await expect(restored).rejects.toThrow('Unknown session');
  });
});
