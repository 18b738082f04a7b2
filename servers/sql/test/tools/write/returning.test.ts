import { readdir, readlink } from 'node:fs/promises';

import { McpServer, type RequestContext } from '@org/mcp-decorators';
import { connect, type Session } from '@org/mcp-testing';
import { describe, expect, it, vi } from 'vitest';

import {
  Databases,
  PostgresDatabase,
  PostgresServer,
  type PostgresOptions,
  type PreparedWrite,
  type WriteRequest,
  type WriteSink,
} from '../../../src/index.ts';
import { urlSource } from '../../../src/postgres/database/connect/url-source.ts';
import { optionsWith } from '../../fixtures/postgres.ts';
import { CONFIRMS, useStock } from '../../fixtures/stock.ts';

const database = useStock();

interface Returning {
  readonly row_count: number;
  readonly total_rows: number;
  readonly truncated?: string;
  readonly truncated_values?: number;
  readonly handle?: string;
  readonly next_offset?: number;
}

function writing(given: Partial<PostgresOptions> = {}): Promise<Session> {
  return database.connect({ url: database.appUrl(), writable: true, maxRows: 10_000, ...given }, undefined, CONFIRMS);
}

async function executed(
  session: Session,
  args: Readonly<Record<string, unknown>>,
): Promise<{ text: string; returning: Returning }> {
  const { content, structuredContent, _meta } = await session.call('execute', { max_rows: 10_000, ...args });
  const { returning } = (structuredContent ?? _meta) as { returning: Returning };
  return { text: content[0]?.type === 'text' ? content[0].text : '', returning };
}

function insertion(rows: number, bytes = 90): string {
  return `insert into stock select g, repeat('x', ${bytes}), g from generate_series(10, ${9 + rows}) g returning id, name`;
}

/** A database that cannot read the types of columns that a writing statement returns. */
class UndescribedDatabase extends PostgresDatabase {
  override async prepareWrite(request: WriteRequest, context: RequestContext): Promise<PreparedWrite> {
    const write = await super.prepareWrite(request, context);
    return {
      plan: (given) => write.plan(given),
      commit: (plan, sink, given) => write.commit(plan, withoutTypes(sink), given),
    };
  }
}

function withoutTypes(sink: WriteSink): WriteSink {
  const describeColumns = (): never => {
    throw new Error('the types cannot be read');
  };
  return {
    get busy() {
      return sink.busy;
    },
    columns: ({ names }) => sink.columns({ names, describe: describeColumns }),
    rows: (encoded, count) => sink.rows(encoded, count),
    line: (bytes) => sink.line(bytes),
    notice: (text) => sink.notice(text),
    finish: () => sink.finish(),
  };
}

@McpServer({ name: 'undescribed', version: '1.0.0' })
class UndescribedServer extends PostgresServer {
  protected override openDatabases(): Databases<PostgresDatabase> {
    const source = urlSource({ url: database.appUrl(), passwordFile: undefined });
    return new Databases([new UndescribedDatabase('postgres', source, this.options)]);
  }
}

/** Returns the number of open files of this process that had a name in a spool directory and no longer have one. */
async function openFiles(): Promise<number> {
  const links = await Promise.all((await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')));
  return links.filter((link) => link.includes('/spool/') && link.endsWith(' (deleted)')).length;
}

/** A file is closed soon after its rows are dropped. */
async function expectNoOpenFile(): Promise<void> {
  await vi.waitFor(async () => expect(await openFiles()).toBe(0));
}

describe('rows of RETURNING', () => {
  it.each([{}, { structured: true }])('can be read with fetch_result if they exceed a result: %o', async (form) => {
    await using session = await writing();
    const { text, returning } = await executed(session, { sql: insertion(1000), ...form });
    const { row_count: shown, handle, next_offset } = returning;
    expect(text).toMatch(/^INSERT: 1000 rows, committed\n/);
    expect(text).toContain(
      `${shown} of 1000 returned rows are shown\nfetch_result continues at offset ${shown} of handle ${handle}`,
    );
    expect(next_offset).toBe(shown);
    const seen = Array.from({ length: shown }, (_, n) => String(n + 10));
    for (let offset = next_offset; offset !== undefined;) {
      const { structuredContent } = await session.call('fetch_result', { handle, offset, max_rows: 10_000, structured: true });
      const page = structuredContent as { rows: [string][]; total_rows: number; next_offset?: number };
      expect(page.total_rows).toBe(1000);
      seen.push(...page.rows.map(([id]) => id));
      offset = page.next_offset;
    }
    expect(seen).toEqual(Array.from({ length: 1000 }, (_, n) => String(n + 10)));
  });

  it('are stored if they exceed max_rows, including the rows of a writing CTE', async () => {
    await using session = await writing();
    const { returning } = await executed(session, { sql: 'delete from stock where id < 4 returning id', max_rows: 1 });
    expect(returning).toMatchObject({ row_count: 1, total_rows: 3, truncated: 'rows', next_offset: 1 });
    expect(await session.text('fetch_result', { handle: returning.handle, offset: 1 })).toContain('id\n2\n3\n```\n2 rows of 3');
    const sql = 'with d as (delete from stock returning id) select id from d order by id';
    const cte = await executed(session, { sql, max_rows: 1 });
    expect(cte.text).toMatch(/id\n4\n```\n1 of 2 returned rows are shown\nfetch_result continues at offset 1 of handle/);
  });

  it('have complete long values in an export', async () => {
    await using session = await writing();
    const { text, returning } = await executed(session, { sql: insertion(1, 1_000_000) });
    expect(text).toContain(
      `1 long value was cut; select a part of it with substr\nexport writes the complete values, by handle ${returning.handle}`,
    );
    const { structuredContent } = await session.call('export', { handle: returning.handle, format: 'csv' });
    expect(structuredContent).toMatchObject({ rows: 1, bytes: 1_000_000 + Buffer.byteLength('id,name\n10,\n') });
  });

  it('can be exported if the first row alone is too long', async () => {
    await using session = await writing();
    const list = Array.from({ length: 1500 }, (_, n) => `repeat('x', 14) as "column ${n}"`).join(', ');
    const { text, returning } = await executed(session, { sql: `update stock set count = 9 returning ${list}` });
    expect(text).toContain(
      `0 of 5 returned rows are shown\nthe next row alone is too long for a result: select fewer columns, or export the rows by handle ${returning.handle}`,
    );
    expect(returning).not.toHaveProperty('next_offset');
    expect((await session.call('export', { handle: returning.handle, format: 'csv' })).structuredContent).toMatchObject({
      rows: 5,
    });
  });

  it.each([1024, 5000])('are all shown or have a handle, for any number of rows, in results of %s bytes', async (maxBytes) => {
    await using session = await writing({ maxBytes });
    for (const rows of [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 30, 45, 60])
      for (const structured of [false, true]) {
        const sql = `insert into stock select -g, '\`\`', g from generate_series(1, ${rows}) g on conflict (id) do update set count = 9 returning id, name, count, now()`;
        const { text, returning } = await executed(session, { sql, structured });
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maxBytes);
        const { truncated, truncated_values, handle, row_count } = returning;
        const isWhole = truncated === undefined && truncated_values === undefined && row_count === rows;
        expect(isWhole || handle !== undefined, JSON.stringify({ rows, structured })).toBe(true);
      }
  });

  it('are counted if they exceed --max-stored-bytes, and the dry run warns about the loss', async () => {
    await using session = await writing({ maxStoredBytes: 1_048_576 });
    const sql = insertion(3000, 1000);
    const warning =
      /^RETURNING returns 3\.\d MB, and --max-stored-bytes keeps 1\.0 MB: fetch_result will not read the rows that are not shown$/;
    const { structuredContent } = await session.call('execute', { sql, dry_run: true });
    expect(structuredContent).toMatchObject({ warnings: [expect.stringMatching(warning)] });
    const { text, returning } = await executed(session, { sql });
    expect(text).toMatch(/^INSERT: 3000 rows, committed\n/);
    expect(text).toContain(
      `${returning.row_count} of 3000 returned rows are shown\n${3000 - returning.row_count} rows could not be stored for fetch_result; read them with query`,
    );
    expect(returning).not.toHaveProperty('handle');
    expect(returning).not.toHaveProperty('next_offset');
    await expectNoOpenFile();
    expect(session.elicited.all[0]?.message).toMatch(/--max-stored-bytes keeps 1\.0 MB/);
  });

  it('are not stored if they fit, or if no row was changed', async () => {
    await using session = await writing();
    const { returning } = await executed(session, { sql: insertion(5) });
    expect(returning).not.toHaveProperty('handle');
    await expectNoOpenFile();
    // These statements draw from a sequence, so they have no preview, and fail only after rows were stored.
    await database.asSuperuser('create sequence if not exists app.numbers; grant usage on sequence app.numbers to app');
    const sql = "insert into stock select g, 'x', nextval('numbers') from generate_series(100, 30000) g";
    expect(await session.fails('execute', { sql: `${sql} returning 1 / (id - 29999)` })).toMatch(
      /^QUERY_FAILED: division by zero/,
    );
    await expectNoOpenFile();
    expect(await session.fails('execute', { sql: `${sql} returning id`, max_affected: 10 })).toMatch(/^TOO_LARGE/);
    await expectNoOpenFile();
    expect(await database.counts()).toMatch(/^1 2 3 4 5 10 11 12 13 14$/);
  });

  it('are not stored if the statement fails while the store opens', async () => {
    await using session = await writing();
    await database.asSuperuser('create sequence if not exists app.numbers; grant usage on sequence app.numbers to app');
    // The row after the first page makes the store open, and the error follows it in the same message of the connection.
    const sql =
      "insert into stock select g, 'x', nextval('numbers') from generate_series(1001, 1200) g returning 1 / (id - 1105)";
    expect(await session.fails('execute', { sql })).toMatch(/^QUERY_FAILED: division by zero/);
    await expectNoOpenFile();
  });

  it('remain available if the types of their columns cannot be read after the commit', async () => {
    const server = new UndescribedServer(optionsWith({ url: database.appUrl(), writable: true, policy: 'off' }));
    await using session = await connect(server, CONFIRMS);
    const { returning } = await executed(session, { sql: insertion(1000) });
    expect(returning).toMatchObject({
      columns: [
        { name: 'id', type: 'unknown' },
        { name: 'name', type: 'unknown' },
      ],
    });
    const { handle } = returning;
    expect(await session.text('export', { handle })).toMatch(/^1000 rows/);
  });
});
