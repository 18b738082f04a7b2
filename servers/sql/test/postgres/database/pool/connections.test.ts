import { describe, expect, it, vi } from 'vitest';

import type { Connection } from '../../../../src/postgres/database/connect/connection.ts';
import { Connections } from '../../../../src/postgres/database/pool/connections.ts';
import { urlSource } from '../../../../src/postgres/database/connect/url-source.ts';
import type { PostgresOptions } from '../../../../src/index.ts';
import { optionsWith, useDatabase } from '../../../fixtures/postgres.ts';

const database = useDatabase({});
const { signal } = new AbortController();

function open(given: Partial<PostgresOptions>): Connections {
  return new Connections(urlSource({ url: database.url('superuser') }), optionsWith(given));
}

/** Takes a connection, and then adds the name of the caller to `order`. */
async function takeAndRecord(name: string, connections: Connections, order: string[]): Promise<Connection> {
  const connection = await connections.take(signal);
  order.push(name);
  return connection;
}

describe('connections', () => {
  it('are given to waiting calls in order', async () => {
    await using connections = open({ maxConnections: 1 });
    const first = await connections.take(signal);
    const order: string[] = [];
    const second = takeAndRecord('second', connections, order);
    const third = takeAndRecord('third', connections, order);
    void first.release();
    await (await second).release();
    await (await third).release();
    expect(order).toEqual(['second', 'third']);
    expect([(await second).processId, (await third).processId]).toEqual([first.processId, first.processId]);
  });

  it('are replaced for a waiting call when they are closed', async () => {
    await using connections = open({ maxConnections: 1 });
    const first = await connections.take(signal);
    const waiting = connections.take(signal);
    first.destroy();
    const second = await waiting;
    expect(second.processId).not.toBe(first.processId);
    void second.release();
  });

  it('are not given to an aborted call', async () => {
    await using connections = open({ maxConnections: 1 });
    const first = await connections.take(signal);
    const controller = new AbortController();
    const aborted = connections.take(controller.signal);
    const waiting = connections.take(signal);
    controller.abort(new Error('enough'));
    await expect(aborted).rejects.toThrow('enough');
    void first.release();
    await (await waiting).release();
  });

  it('are not taken again after the server has ended them', async () => {
    await using connections = open({ maxConnections: 1 });
    const first = await connections.take(signal);
    const { processId } = first;
    void first.release();
    await database.asSuperuser(`select pg_terminate_backend(${processId})`);
    await vi.waitFor(async () => {
      const next = await connections.take(signal);
      void next.release();
      expect(next.processId).not.toBe(processId);
    });
  });

  it('are closed if they are returned after disposal', async () => {
    const connections = open({ maxConnections: 1 });
    const first = await connections.take(signal);
    const ended = connections[Symbol.asyncDispose]();
    void first.release();
    await ended;
    await expect(connections.take(signal)).rejects.toThrow(/end/);
  });
});
