import { describe, expect, it, vi } from 'vitest';

import type { Connection } from '../../src/database/connection.ts';
import { Connections } from '../../src/database/connections.ts';
import { urlSource } from '../../src/database/source.ts';
import type { PostgresOptions } from '../../src/index.ts';
import { optionsWith, useDatabase } from '../postgres.ts';

const database = useDatabase({});
const { signal } = new AbortController();

function open(given: Partial<PostgresOptions>): Connections {
  return new Connections(urlSource({ url: database.url('superuser') }), optionsWith(given));
}

/** Takes one, and says which it was once it is there. */
async function takenBy(name: string, connections: Connections, order: string[]): Promise<Connection> {
  const connection = await connections.take(signal);
  order.push(name);
  return connection;
}

describe('connections', () => {
  it('are handed to the calls that wait, in their order', async () => {
    await using connections = open({ maxConnections: 1 });
    const first = await connections.take(signal);
    const order: string[] = [];
    const second = takenBy('second', connections, order);
    const third = takenBy('third', connections, order);
    void first.giveBack();
    await (await second).giveBack();
    await (await third).giveBack();
    expect(order).toEqual(['second', 'third']);
    expect([(await second).processId, (await third).processId]).toEqual([first.processId, first.processId]);
  });

  it('that are closed make room for a call that waits', async () => {
    await using connections = open({ maxConnections: 1 });
    const first = await connections.take(signal);
    const waiting = connections.take(signal);
    first.destroy();
    const second = await waiting;
    expect(second.processId).not.toBe(first.processId);
    void second.giveBack();
  });

  it('are not waited for by a call that was aborted', async () => {
    await using connections = open({ maxConnections: 1 });
    const first = await connections.take(signal);
    const controller = new AbortController();
    const aborted = connections.take(controller.signal);
    const waiting = connections.take(signal);
    controller.abort(new Error('enough'));
    await expect(aborted).rejects.toThrow('enough');
    void first.giveBack();
    await (await waiting).giveBack();
  });

  it('that the server has ended are not taken again', async () => {
    await using connections = open({ maxConnections: 1 });
    const first = await connections.take(signal);
    const { processId } = first;
    void first.giveBack();
    await database.asSuperuser(`select pg_terminate_backend(${processId})`);
    await vi.waitFor(async () => {
      const next = await connections.take(signal);
      void next.giveBack();
      expect(next.processId).not.toBe(processId);
    });
  });

  it('that are given back after the end are closed', async () => {
    const connections = open({ maxConnections: 1 });
    const first = await connections.take(signal);
    const ended = connections[Symbol.asyncDispose]();
    void first.giveBack();
    await ended;
    await expect(connections.take(signal)).rejects.toThrow(/end/);
  });
});
