import type { CallToolResult } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';

import { useDatabase } from './postgres.ts';

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

const ROWS = `select g, '${LONG}' as filler from generate_series(1, 5000) g`;

interface LongAnswer {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** What says that something is missing, and how to get it. */
  readonly note: RegExp;
}

const ANSWERS: readonly LongAnswer[] = [
  { tool: 'query', args: { sql: ROWS, max_rows: 5000 }, note: /and there are more\n.* use keep and fetch_result/ },
  { tool: 'query', args: { sql: ROWS, max_rows: 5000, structured: true }, note: /and there are more/ },
  { tool: 'query', args: { sql: ROWS, max_rows: 5000, format: 'json' }, note: /and there are more/ },
  { tool: 'query', args: { sql: 'table wide.columns' }, note: /… \[cut: \d+ bytes\]\n```\n0 rows/ },
  { tool: 'query', args: { sql: ROWS, max_rows: 5000, keep: true }, note: /fetch_result reads on from offset \d+ of handle/ },
  { tool: 'query', args: { sql: `select repeat('x', 1000000)` }, note: /1 long value was cut/ },
  {
    tool: 'describe',
    args: { object: 'wide.columns' },
    note: /\[Not shown whole: columns: \d+ of 1500\..* kinds: \["column"\] lists columns page by page\.\]$/,
  },
  {
    tool: 'describe',
    args: { object: 'wide' },
    note: /\[Not shown whole: members: .*members: \d+ of 1000\..* lists the objects of a schema/,
  },
  { tool: 'describe', args: { object: 'wide.long' }, note: /\[Not shown whole: definition: \d+ of \d+ characters/ },
  { tool: 'search_objects', args: { pattern: 'table_with', limit: 500, detail: 'full' }, note: /go on with cursor/ },
  {
    tool: 'search_objects',
    args: { pattern: 'columns', schema: 'wide', kinds: ['table'], detail: 'full' },
    note: /, … \d+ more: kinds: \["column"\] lists them\)/,
  },
  { tool: 'explain', args: { sql: 'select * from wide.parts' }, note: /\[plan: cut, of \d+ bytes/ },
  { tool: 'explain', args: { sql: 'select * from wide.parts', format: 'json' }, note: /The format text is shorter than json/ },
  {
    tool: 'er_diagram',
    args: { schema: 'wide', limit: 200 },
    note: /\[\d+ tables are shown, and there are more: name the others in tables\.\]$/,
  },
  {
    tool: 'er_diagram',
    args: { schema: 'wide', tables: ['columns'], columns: 'all' },
    note: /\[This table has more columns than fit/,
  },
  { tool: 'generate_types', args: { schema: 'wide', limit: 200 }, note: /name the others in tables\.\]$/ },
  {
    tool: 'compare_schemas',
    args: { schema: 'wide', other_schema: 'bare', limit: 1000 },
    note: /\[There are more differences: go on with offset \d+\.\]$/,
  },
];

const BYTES = 20_000;

function bytesOf({ content, structuredContent }: CallToolResult): readonly number[] {
  const texts = content.map((block) => (block.type === 'text' ? Buffer.byteLength(block.text) : 0));
  return [...texts, structuredContent === undefined ? 0 : Buffer.byteLength(JSON.stringify(structuredContent))];
}

describe('a result', () => {
  it.each(ANSWERS)('of $tool has at most 20,000 bytes and a note: $args', async ({ tool, args, note }) => {
    await using session = await database.connect({ maxRows: 10_000 });
    const result = await session.call(tool, args);
    for (const bytes of bytesOf(result)) expect(bytes).toBeLessThanOrEqual(BYTES);
    expect(result.content.map((block) => (block.type === 'text' ? block.text : '')).join('\n')).toMatch(note);
  });

  it('may have as many bytes as the operator says', async () => {
    await using session = await database.connect({ maxRows: 10_000, maxBytes: 200_000 });
    const [bytes = 0] = bytesOf(await session.call('query', { sql: ROWS, max_rows: 5000 }));
    expect(bytes).toBeGreaterThan(190_000);
    expect(bytes).toBeLessThanOrEqual(200_000);
  });

  it('is read to its end by the offsets that it names', async () => {
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

  it('of listen keeps a part of each notification', async () => {
    await using session = await database.connect();
    const call = session.start('listen', { channels: ['long'], max_notifications: 10, timeout_ms: 20_000 });
    await call.progress.next(({ message }) => message === 'listening');
    await database.asSuperuser(Array.from({ length: 10 }, (_, n) => `notify long, '${n}${'x'.repeat(7000)}'`).join(';'));
    const result = await call.result;
    for (const bytes of bytesOf(result)) expect(bytes).toBeLessThanOrEqual(BYTES);
    const { notifications } = result.structuredContent as { notifications: { payload: string }[] };
    expect(notifications.map(({ payload }) => payload[0])).toEqual(Array.from({ length: 10 }, (_, n) => String(n)));
    for (const { payload } of notifications) expect(payload).toMatch(/… \[cut: 7001 bytes\]$/);
  });
});
