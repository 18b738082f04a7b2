import type { CallToolResult } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';

import { CONFIRMS } from '../../fixtures/app.ts';
import { useDatabase } from '../../fixtures/postgres.ts';

const LONG = 'word '.repeat(40);

const database = useDatabase({
  sql: `
    create schema wide;
    create table wide.columns (${Array.from({ length: 1500 }, (_, n) => `column_with_a_long_name_${n} text default '${LONG}'`).join(', ')});
    do $$ begin
      for n in 1..400 loop
        execute format('create table wide.table_with_a_long_name_%s (id int primary key, a_column_with_a_long_name text)', n);
        execute format('comment on table wide.table_with_a_long_name_%s is %L', n, '${LONG}');
      end loop;
    end $$;
    create function wide.long() returns text language sql as $$ select '${LONG.repeat(400)}' $$;
    create table wide.notes as select g::text as note from generate_series(1, 2000) g;
    analyze wide.notes;
    create table wide.parts (id int) partition by range (id);
    do $$ begin
      for n in 1..600 loop
        execute format('create table wide.part_%s partition of wide.parts for values from (%s) to (%s)', n, n, n + 1);
      end loop;
    end $$;
    create schema bare;
    grant usage on schema wide, bare to mcp_ro;
    grant select on all tables in schema wide to mcp_ro;
  `,
});

const LONG_KEYS = Array.from({ length: 6 }, (_, n) => `replace(note, '${'x'.repeat(4000)}${n}', '') = 'a'`).join(' or ');
const ROWS = `select g, '${LONG}' as filler from generate_series(1, 5000) g`;

interface LongAnswer {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Matches the note about missing parts. */
  readonly note: RegExp;
}

const ANSWERS: readonly LongAnswer[] = [
  { tool: 'query', args: { sql: ROWS, max_rows: 5000 }, note: /and more rows exist\n.* use keep and fetch_result/ },
  { tool: 'query', args: { sql: ROWS, max_rows: 5000, structured: true }, note: /and more rows exist/ },
  { tool: 'query', args: { sql: ROWS, max_rows: 5000, format: 'json' }, note: /and more rows exist/ },
  { tool: 'query', args: { sql: 'table wide.columns' }, note: /… \[cut from \d+ bytes\]\n```\n0 rows/ },
  { tool: 'query', args: { sql: ROWS, max_rows: 5000, keep: true }, note: /fetch_result continues at offset \d+ of handle/ },
  {
    tool: 'query',
    args: { sql: `select 'x' from generate_series(1, 9999)`, max_rows: 9999, structured: true },
    note: /and more rows exist/,
  },
  {
    tool: 'query',
    args: { sql: `select '\\x01'::text from generate_series(1, 9999)`, max_rows: 9999, structured: true },
    note: /and more rows exist/,
  },
  { tool: 'query', args: { sql: `select repeat('\`', 4000) from generate_series(1, 9)` }, note: /and more rows exist/ },
  { tool: 'query', args: { sql: `select ${columns(1200, "repeat('x', 12)")}` }, note: /the next row alone is too long/ },
  { tool: 'query', args: { sql: `select ${columns(1200, "'x'")}` }, note: /1 row$/ },
  {
    tool: 'query',
    args: { sql: `select ${columns(1200, "'x'")}`, structured: true },
    note: /1 row\nstructured content is missing: .*; select fewer columns/,
  },
  { tool: 'query', args: { sql: `select ${columns(300, "'x'")}`, structured: true }, note: /1 row$/ },
  { tool: 'query', args: { sql: `select ${columns(100, "repeat('x', 300)")}` }, note: /100 long values were cut/ },
  { tool: 'query', args: { sql: `select repeat('x', 1000000)` }, note: /1 long value was cut/ },
  {
    tool: 'describe',
    args: { object: 'wide.columns' },
    note: /\[Cut: columns: \d+ of 1500\..* kinds: \["column"\] lists columns page by page\.\]$/,
  },
  {
    tool: 'describe',
    args: { object: 'wide' },
    note: /\[Cut: members: .*members: \d+ of 1000\..* lists the objects of a schema/,
  },
  { tool: 'describe', args: { object: 'wide.long' }, note: /\[Cut: definition: \d+ of \d+ characters/ },
  { tool: 'search_objects', args: { pattern: 'table_with', limit: 500, detail: 'full' }, note: /continue with cursor/ },
  {
    tool: 'search_objects',
    args: { pattern: 'columns', schema: 'wide', kinds: ['table'], detail: 'full' },
    note: /, … \d+ more: kinds: \["column"\] lists them\)/,
  },
  { tool: 'explain', args: { sql: 'select * from wide.parts' }, note: /\[plan: cut from \d+ bytes/ },
  {
    tool: 'explain',
    args: { sql: 'select * from wide.parts', format: 'json' },
    note: /With format: text the plan is shorter than with json/,
  },
  {
    tool: 'er_diagram',
    args: { schema: 'wide', limit: 200 },
    note: /\[\d+ tables are shown, and more exist: pass the names of the missing tables as the argument tables\.\]$/,
  },
  {
    tool: 'er_diagram',
    args: { schema: 'wide', tables: ['columns'], columns: 'all' },
    note: /\[This table has more columns than fit/,
  },
  {
    tool: 'generate_types',
    args: { schema: 'wide', limit: 200 },
    note: /pass the names of the missing tables as the argument tables\.\]$/,
  },
  {
    tool: 'compare_schemas',
    args: { schema: 'wide', other_schema: 'bare', limit: 1000 },
    note: /\[More differences exist: continue with offset \d+\.\]$/,
  },
  {
    tool: 'advise_indexes',
    args: { sql: `select * from wide.notes where ${LONG_KEYS}` },
    note: /\[More proposals, statements or notes exist: pass one statement/,
  },
];

const BYTES = 20_000;

function bytesOf({ content, structuredContent, _meta }: CallToolResult): readonly number[] {
  const texts = content.map((block) => (block.type === 'text' ? Buffer.byteLength(block.text) : 0));
  return [
    ...texts,
    ...[structuredContent, _meta].map((part) => (part === undefined ? 0 : Buffer.byteLength(JSON.stringify(part)))),
  ];
}

function textOf({ content }: CallToolResult): string {
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
}

/** Returns a SELECT list of columns with names of at least 8 characters. */
function columns(count: number, value: string): string {
  return Array.from({ length: count }, (_, n) => `${value} as "column ${n}"`).join(', ');
}

const NOTICES = `do $$ begin for n in 1..20 loop raise notice '%', repeat('n', 3000); end loop; end $$`;

describe('a result', () => {
  it.each(ANSWERS)('has at most 20,000 bytes and a note: $tool $args', async ({ tool, args, note }) => {
    await using session = await database.connect({ maxRows: 10_000 });
    const result = await session.call(tool, args);
    for (const bytes of bytesOf(result)) expect(bytes).toBeLessThanOrEqual(BYTES);
    expect(textOf(result)).toMatch(note);
  });

  it.each([1024, 5000, 20_000])(
    'has at most %s bytes, as set by --max-bytes, for wide rows and for many rows',
    async (maxBytes) => {
      await using session = await database.connect({ maxRows: 10_000, maxBytes });
      for (const count of [1, 5, 30, 100, 400, 1500])
        for (const format of ['csv', 'json', 'markdown'])
          for (const args of [{}, { structured: true }, { keep: true }]) {
            const sql = `select ${columns(count, "repeat('\"', g)")} from generate_series(1, 60) g`;
            const result = await session.call('query', { sql, format, ...args });
            expect(Math.max(...bytesOf(result)), JSON.stringify({ count, format, args })).toBeLessThanOrEqual(maxBytes);
          }
    },
  );

  it('reports that the next row is too long, and has no offset, if it has no row', async () => {
    await using session = await database.connect({ maxRows: 10_000 });
    const sql = `select ${columns(1500, "repeat('x', 14)")} from generate_series(1, 3)`;
    const ALONE =
      /0 rows.*, and more rows exist\nthe next row alone is too long for a result: select fewer columns, or export the rows/;
    for (const structured of [false, true]) {
      const plain = await session.call('query', { sql, structured });
      expect(textOf(plain)).toMatch(ALONE);
      const kept = await session.call('query', { sql, structured, keep: true });
      expect(textOf(kept)).toMatch(ALONE);
      const { handle, ...facts } = (kept.structuredContent ?? kept._meta) as { handle: string };
      expect(textOf(kept)).toContain(`by handle ${handle}`);
      expect(facts).toMatchObject({ row_count: 0, truncated: 'bytes', columns_omitted: 1500 });
      expect(facts).not.toHaveProperty('next_offset');
      const fetched = await session.call('fetch_result', { handle, structured });
      expect(textOf(fetched)).toMatch(ALONE);
      expect(fetched._meta).toMatchObject({ row_count: 0, truncated: 'bytes' });
      expect(fetched._meta).not.toHaveProperty('next_offset');
      expect((await session.call('export', { handle, format: 'csv' })).structuredContent).toMatchObject({ rows: 3 });
    }
  });

  it('has the names and types of its columns in _meta, or the number of columns if the names are too long', async () => {
    await using session = await database.connect();
    const { _meta: few } = await session.call('query', { sql: `select ${columns(300, "'x'")}` });
    expect(few).toMatchObject({ columns: { length: 300 } });
    expect(few).not.toHaveProperty('columns_omitted');
    const { _meta: many } = await session.call('query', { sql: `select ${columns(1200, "'x'")}` });
    expect(many).toMatchObject({ columns_omitted: 1200, row_count: 1 });
    expect(many).not.toHaveProperty('columns');
  });

  it('leaves room in _meta for the name of the server', async () => {
    await using session = await database.connect();
    for (let count = 370; count <= 410; count += 1) {
      const result = await session.call('query', { sql: `select ${columns(count, "'x'")}` });
      expect(Math.max(...bytesOf(result)), `${count} columns`).toBeLessThanOrEqual(BYTES);
    }
  });

  it('limits notices to a quarter of its bytes, and marks cut notices', async () => {
    const given = { url: database.url('superuser'), allowPrivilegedRole: true, writable: true };
    await using session = await database.connect(given, undefined, CONFIRMS);
    const result = await session.call('execute', { sql: NOTICES });
    for (const bytes of bytesOf(result)) expect(bytes).toBeLessThanOrEqual(BYTES / 4 + 200);
    expect(textOf(result).match(/^NOTICE: n+… \[cut from 3008 bytes\]$/gm)).toHaveLength(20);
    expect(result._meta).toMatchObject({ notices: { length: 20 } });
  });

  it('can be as large as --max-bytes', async () => {
    await using session = await database.connect({ maxRows: 10_000, maxBytes: 200_000 });
    const [bytes = 0] = bytesOf(await session.call('query', { sql: ROWS, max_rows: 5000 }));
    expect(bytes).toBeGreaterThan(190_000);
    expect(bytes).toBeLessThanOrEqual(200_000);
  });

  it('can be read to its end by its offsets', async () => {
    await using session = await database.connect({ maxRows: 10_000 });
    const first = await session.call('query', { sql: ROWS, max_rows: 5000, keep: true, structured: true });
    const seen: string[] = [];
    let page = first.structuredContent as { rows: [string][]; handle: string; next_offset?: number };
    const { handle } = page;
    for (;;) {
      seen.push(...page.rows.map(([n]) => n));
      if (page.next_offset === undefined) break;
      const next = await session.call('fetch_result', { handle, offset: page.next_offset, max_rows: 5000, structured: true });
      page = next.structuredContent as typeof page;
    }
    expect(seen).toEqual(Array.from({ length: 5000 }, (_, n) => String(n + 1)));
  });

  it('contains a part of each notification, for listen', async () => {
    await using session = await database.connect();
    const call = session.start('listen', { channels: ['long'], max_notifications: 10, timeout_ms: 20_000 });
    await call.progress.next(({ message }) => message === 'listening');
    await database.asSuperuser(Array.from({ length: 10 }, (_, n) => `notify long, '${n}${'x'.repeat(7000)}'`).join(';'));
    const result = await call.result;
    for (const bytes of bytesOf(result)) expect(bytes).toBeLessThanOrEqual(BYTES);
    const { notifications } = result.structuredContent as { notifications: { payload: string }[] };
    expect(notifications.map(({ payload }) => payload[0])).toEqual(Array.from({ length: 10 }, (_, n) => String(n)));
    for (const { payload } of notifications) expect(payload).toMatch(/… \[cut from 7001 bytes\]$/);
  });
});
