import { RequestContext, Tool, ToolError } from '@org/mcp-decorators';
import { connect } from '@org/mcp-testing';
import { IsString } from 'class-validator';
import { describe, expect, it } from 'vitest';

import { stream } from '../../../../src/postgres/database/stream.ts';
import type { FieldSink } from '../../../../src/postgres/database/protocol/row-stream.ts';
import { PostgresServer } from '../../../../src/index.ts';
import { decodeRows } from '../../../../src/rows/encoded-rows.ts';
import { GONE, optionsWith, useDatabase } from '../../../fixtures/postgres.ts';

const database = useDatabase({});

const ROWS = 200_000;
const SQL = `select generate_series(1, ${ROWS}) as streamed, repeat('x', 100)`;

class StatementInput {
  @IsString()
  sql!: string;
}

/** Sink that counts rows. Tests can make the sink busy or let it fail. */
class TestSink implements FieldSink {
  busy: Promise<unknown> | undefined;
  count = 0;
  onRow: () => void = () => undefined;

  columns(): void {
    // These tests do not check columns or notices.
  }

  rows(messages: Buffer): void {
    for (const row of decodeRows(messages)) {
      this.count += 1;
      if (row[0] !== String(this.count)) throw new TypeError(`row ${this.count} is ${row[0]}`);
      this.onRow();
    }
  }

  line(): void {
    throw new TypeError('no statement of these tests uses COPY');
  }

  notice(): void {
    // These tests do not check columns or notices.
  }
}

class Streaming extends PostgresServer {
  readonly #sink: TestSink;

  constructor(sink: TestSink) {
    super(optionsWith({ url: database.url() }));
    this.#sink = sink;
  }

  @Tool({ description: 'Stream rows' })
  async streamRows({ sql }: StatementInput, context: RequestContext): Promise<string> {
    await stream(this.databaseFor({}), { sql, params: [], timeoutMs: 30_000 }, this.#sink, context);
    return `${this.#sink.count} rows`;
  }
}

async function backends(condition: string): Promise<number> {
  const sql = `select count(*) from pg_stat_activity where query like '%as streamed%' and pid <> pg_backend_pid() and ${condition}`;
  return Number((await database.asSuperuser(sql))[0]?.[0]);
}

/** Waits until PostgreSQL cannot write more rows, because the socket buffers are full and the sink receives no rows. */
async function untilServerWaits(sink: TestSink): Promise<void> {
  let before = -1;
  const rests = async (): Promise<boolean> => {
    const waits = (await backends("wait_event = 'ClientWrite'")) === 1;
    const still = sink.count === before;
    before = sink.count;
    return waits && still;
  };
  await expect.poll(rests, { interval: 20, timeout: 10_000 }).toBe(true);
}

describe('a row stream', () => {
  it('pauses while its sink is busy, so that the server waits and no rows are buffered', async () => {
    const sink = new TestSink();
    let release: () => void = () => undefined;
    sink.onRow = () => {
      if (sink.count === 1)
        sink.busy = new Promise<void>((resolve) => {
          release = () => {
            sink.busy = undefined;
            resolve();
          };
        });
    };
    await using session = await connect(new Streaming(sink));
    const call = session.start('stream_rows', { sql: SQL });
    await untilServerWaits(sink);
    expect(sink.count).toBeLessThan(5000);
    release();
    expect(await call.result).toMatchObject({ content: [{ text: `${ROWS} rows` }] });
  });

  it.each([
    [
      'throws',
      (sink: TestSink): void =>
        failAt(sink, () => {
          throw full();
        }),
    ],
    [
      'rejects while busy',
      (sink: TestSink): void =>
        failAt(sink, () => {
          sink.busy = Promise.reject(full());
        }),
    ],
  ])('ends in the database if its sink %s, and rejects with the error of the sink', async (_, prepare) => {
    const sink = new TestSink();
    prepare(sink);
    await using session = await connect(new Streaming(sink));
    expect(await session.fails('stream_rows', { sql: SQL })).toBe('TOO_LARGE: the sink is full');
    await expect.poll(() => backends("state = 'active'"), { interval: 5 }).toBe(0);
  });

  it('ends in the database when it is cancelled while paused', async () => {
    const sink = new TestSink();
    sink.busy = new Promise(() => undefined);
    await using session = await connect(new Streaming(sink));
    const call = session.start('stream_rows', { sql: SQL });
    await untilServerWaits(sink);
    call.cancel();
    await expect(call.result).rejects.toThrow();
    await expect.poll(() => backends("state = 'active'"), GONE).toBe(0);
  });
});

function full(): ToolError {
  return new ToolError('TOO_LARGE', 'the sink is full');
}

function failAt(sink: TestSink, fail: () => void): void {
  sink.onRow = () => {
    if (sink.count === 1000) fail();
  };
}
