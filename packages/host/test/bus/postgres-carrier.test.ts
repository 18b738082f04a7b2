import { randomUUID } from 'node:crypto';
import { dirname } from 'node:path';

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { formatMessage } from '../../src/bus/bus-message.ts';
import { PASSWORD } from './broker.ts';
import { Joined, TOOLS, updated } from './joined.ts';
import { PostgresBroker } from './postgres-broker.ts';

describe('a bus on PostgreSQL', () => {
  let broker: PostgresBroker;
  beforeAll(async () => {
    broker = await PostgresBroker.create();
  });
  afterAll(() => broker[Symbol.asyncDispose]());

  it('can be joined through a Unix socket', async () => {
    const url = `postgres://postgres:${encodeURIComponent(PASSWORD)}@/postgres?host=${encodeURIComponent(dirname(broker.socket))}`;
    await using one = await Joined.by(url);
    await using other = await Joined.by(url);
    one.publish(TOOLS);
    await vi.waitFor(() => expect(other.heard).toEqual(['tools_list_changed']));
  });

  it('logs a warning for a URI that is too long for a notification', async () => {
    await using one = await Joined.by(broker.url);
    await using other = await Joined.by(broker.url);
    const room = 7999 - Buffer.byteLength(formatMessage({ origin: randomUUID(), event: updated('') }));
    const [fits, tooLong] = ['a'.repeat(room), 'b'.repeat(room + 1)];
    await other.listenTo(fits, tooLong);
    one.publish(updated(tooLong), updated(fits));
    await vi.waitFor(() => expect(other.heard.map((uri) => uri.slice(0, 9))).toEqual(['aaaaaaaaa']));
    expect(one.logged()).toContain('the message of 8000 bytes is too long for the bus');
  });
});
