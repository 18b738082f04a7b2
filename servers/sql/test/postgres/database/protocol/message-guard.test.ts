import { PassThrough } from 'node:stream';

import type { Client } from 'pg';
import { describe, expect, it } from 'vitest';

import { loadPg } from '../../../../src/postgres/database/protocol/load-pg.ts';
import { guardMessages, takeRows } from '../../../../src/postgres/database/protocol/message-guard.ts';
import { decodeRows } from '../../../../src/rows/encoded-rows.ts';

const pg = await loadPg();

function message(kind: string, body: Buffer): Buffer {
  const header = Buffer.alloc(5);
  header.write(kind);
  header.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([header, body]);
}

function dataRow(values: readonly (string | null)[]): Buffer {
  const parts = values.map((value) => {
    const length = Buffer.alloc(4);
    length.writeInt32BE(value === null ? -1 : Buffer.byteLength(value));
    return Buffer.concat([length, Buffer.from(value ?? '')]);
  });
  const count = Buffer.alloc(2);
  count.writeUInt16BE(values.length);
  return message('D', Buffer.concat([count, ...parts]));
}

const NOTICE = message('N', Buffer.from('SNOTICE\0Mhello\0\0'));
const READY = message('Z', Buffer.from('I'));
const ROWS = [['1', null, ''], ['2', 'D', 'naïve 😀'], ['3', 'x'.repeat(300), '\0'], [], ['5', 'Z', 'T']];
const SENT = [message('2', Buffer.alloc(0)), NOTICE, dataRow(ROWS[0] ?? []), NOTICE, ...ROWS.slice(1).map(dataRow), NOTICE];
const COMPLETE = message('C', Buffer.from('SELECT 5\0'));

/** Returns a guarded connection of pg on a test stream, the events that pg emits, and a function that takes rows. */
function createGuarded(): {
  readonly stream: PassThrough;
  readonly events: string[];
  readonly take: () => { rows: unknown[]; stop: () => void };
} {
  const stream = new PassThrough();
  const connection = new pg.Connection({ stream: () => stream });
  Reflect.apply(Reflect.get(connection, 'attachListeners'), connection, [stream]);
  const events: string[] = [];
  for (const event of ['bindComplete', 'notice', 'dataRow', 'commandComplete', 'readyForQuery'])
    connection.on(event, () => void events.push(event));
  guardMessages({ connection } as unknown as Client, pg.Connection);
  const take = (): { rows: unknown[]; stop: () => void } => {
    const rows: unknown[] = [];
    const stop = takeRows(connection, (messages, count) => {
      const taken = [...decodeRows(messages)];
      expect(taken).toHaveLength(count);
      rows.push(...taken);
    });
    connection.on('readyForQuery', stop);
    return { rows, stop };
  };
  return { stream, events, take };
}

async function send(stream: PassThrough, bytes: Buffer, size: number): Promise<void> {
  for (let offset = 0; offset < bytes.length; offset += size) {
    stream.write(bytes.subarray(offset, offset + size));
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe('the messages of a server', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 11, 64, 10_000])('reach pg in pieces of %i bytes, except the taken rows', async (size) => {
    const { stream, events, take } = createGuarded();
    const { rows } = take();
    await send(stream, Buffer.concat([...SENT, COMPLETE, READY, ...SENT, COMPLETE, READY]), size);
    expect(rows).toEqual(ROWS);
    const around = ['bindComplete', 'notice', 'notice'];
    const after = ['notice', 'commandComplete', 'readyForQuery'];
    const passed = events.filter((event) => event !== 'dataRow');
    expect(passed).toEqual([...around, ...after, ...around, ...after]);
    // Only the rows of the first statement are taken, so pg receives the rows of the second one.
    expect(events.filter((event) => event === 'dataRow')).toHaveLength(ROWS.length);
  });

  it.each([1, 7, 10_000])('reach pg completely in pieces of %i bytes, if they began before rows are taken', async (size) => {
    const { stream, events, take } = createGuarded();
    const middle = NOTICE.length - 3;
    await send(stream, NOTICE.subarray(0, middle), size);
    const { rows } = take();
    await send(stream, Buffer.concat([NOTICE.subarray(middle), ...SENT, COMPLETE, READY]), size);
    expect(rows).toEqual(ROWS);
    expect(events).toHaveLength(7);
  });

  it('fail the connection if a message is longer than 16 MiB', async () => {
    const { stream, take } = createGuarded();
    const failed = new Promise((resolve) => stream.once('error', resolve));
    take();
    const header = Buffer.from('D....');
    header.writeInt32BE(16 * 1024 * 1024 + 1, 1);
    stream.write(header);
    expect(await failed).toMatchObject({ code: 'TOO_LARGE' });
  });
});

describe('decodeRows', () => {
  it('reads rows from a given row', () => {
    const sent = Buffer.concat(ROWS.map(dataRow));
    expect([...decodeRows(sent, 2)]).toEqual(ROWS.slice(2));
    expect([...decodeRows(sent, ROWS.length)]).toEqual([]);
  });
});
