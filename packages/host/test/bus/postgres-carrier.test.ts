import { randomUUID } from 'node:crypto';
import { dirname } from 'node:path';

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { writeMessage } from '../../src/bus/bus-message.ts';
import { PASSWORD } from './broker.ts';
import { Joined, TOOLS, updated } from './joined.ts';
import { PostgresBroker } from './postgres-broker.ts';

describe('a bus by PostgreSQL', () => {
  let broker: PostgresBroker;
  beforeAll(async () => {
    broker = await PostgresBroker.create();
  });
  afterAll(() => broker[Symbol.asyncDispose]());

  it('is joined by a Unix socket, too', async () => {
    const url = `postgres://postgres:${encodeURIComponent(PASSWORD)}@/postgres?host=${encodeURIComponent(dirname(broker.socket))}`;
    await using one = await Joined.by(url);
    await using other = await Joined.by(url);
    one.publish(TOOLS);
    await vi.waitFor(() => expect(other.heard).toEqual(['tools_list_changed']));
  });

  it('cannot tell of a URI that does not fit into a notification, and says so', async () => {
    await using one = await Joined.by(broker.url);
    await using other = await Joined.by(broker.url);
    const room = 7999 - Buffer.byteLength(writeMessage({ origin: randomUUID(), event: updated('') }));
    const [fits, tooLong] = ['a'.repeat(room), 'b'.repeat(room + 1)];
    await other.listenTo(fits, tooLong);
    one.publish(updated(tooLong), updated(fits));
    await vi.waitFor(() => expect(other.heard.map((uri) => uri.slice(0, 9))).toEqual(['aaaaaaaaa']));
    expect(one.logged()).toContain('its URI is too long for the bus (8000 bytes in all)');
  });
});
