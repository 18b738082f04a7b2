import { ERAS } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { useDatabase } from '../../fixtures/postgres.ts';

const database = useDatabase({
  sample: true,
  sql: `
    create schema a;
    create schema b;
    create type a.mood as enum ('ok', 'not "ok"');
    create table a.people (id int primary key, "full name" text, mood a.mood not null, boss int references a.people, tags text[], at timestamptz default now());
    comment on table a.people is 'Who */ works here';
    create index on a.people (mood);
    create function a.f(p a.people) returns int language sql return 1;
    create view a.names as select id, "full name" from a.people;
    create table a."1 ""odd"" name" (person int unique references a.people, "the ""key""" uuid primary key, amount numeric(10, 2));
    create type b.mood as enum ('ok');
    create table b.people (id bigint primary key, "full name" text, mood b.mood not null, boss int references b.people, extra int);
    create function b.f(p b.people) returns int language sql return 1;
    create view b.names as select id, "full name" from b.people;
    grant usage on schema a, b to mcp_ro;
    grant select on all tables in schema a, b to mcp_ro;
  `,
});

const EXTRA = { tools: ['extra'] };

describe.each(ERAS)('the second set of tools, on a %s connection,', (era) => {
  it('draws tables and their keys', async () => {
    await using session = await database.connect(EXTRA, era);
    const { structuredContent } = await session.call('er_diagram', { schema: 'shop' });
    expect(structuredContent).toEqual({
      diagram: [
        'erDiagram',
        '  customers {',
        '    integer id PK',
        '  }',
        '  order_lines {',
        '    bigint order_id PK, FK',
        '    integer line PK',
        '    integer product_id FK',
        '  }',
        '  orders {',
        '    bigint id PK',
        '    integer customer_id FK',
        '  }',
        '  products {',
        '    integer id PK',
        '  }',
        '  revenue',
        '  orders ||--o{ order_lines : "order_id"',
        '  products ||--o{ order_lines : "product_id"',
        '  customers ||--o{ orders : "customer_id"',
      ].join('\n'),
      tables: 5,
      truncated: false,
    });
  });

  it('generates types for TypeScript', async () => {
    await using session = await database.connect(EXTRA, era);
    expect(await session.text('generate_types', { tables: ['a.people', 'a."1 ""odd"" name"'] })).toBe(
      [
        '```typescript',
        'export interface T1OddName {',
        '  person: number | null;',
        '  "the \\"key\\"": string;',
        '  amount: string | null;',
        '}',
        '',
        '/** Who *\\/ works here */',
        'export interface People {',
        '  id: number;',
        '  "full name": string | null;',
        '  mood: "ok" | "not \\"ok\\"";',
        '  boss: number | null;',
        '  tags: (string | null)[] | null;',
        '  at: Date | null;',
        '}',
        '```',
      ].join('\n'),
    );
  });

  it('profiles the values of a column', async () => {
    await using session = await database.connect(EXTRA, era);
    const profile = await session.call('profile_column', { table: 'orders', column: 'note', top: 1 });
    expect(profile.structuredContent).toEqual({
      type: 'text',
      rows: 20_000,
      sampled: false,
      nulls: 19_600,
      distinct: 1,
      min: 'gift',
      max: 'gift',
      top: [{ value: 'gift', count: 400 }],
    });
    expect(await session.text('profile_column', { table: 'shop.order_lines', column: 'QUANTITY' })).toMatch(
      /integer: 50000 rows, 0 null, 3 distinct\nfrom 1 to 3\naverage 1\.9\d+\n\d+ × "1"/,
    );
  });

  it('compares schemas', async () => {
    await using session = await database.connect(EXTRA, era);
    const { structuredContent } = await session.call('compare_schemas', { schema: 'a', other_schema: 'b' });
    const differences = [
      { change: 'changed', object: 'column people.id', here: 'integer not null', there: 'bigint not null' },
      { change: 'missing', object: 'column people.tags', here: 'text[]' },
      { change: 'added', object: 'column people.extra', there: 'integer' },
      { change: 'changed', object: 'enum mood', here: `'ok', 'not "ok"'`, there: "'ok'" },
      {
        change: 'missing',
        object: 'index people.people_mood_idx',
        here: 'CREATE INDEX people_mood_idx ON people USING btree (mood)',
      },
    ];
    expect(structuredContent).toMatchObject({ differences: expect.arrayContaining(differences), truncated: false });
    const text = await session.text('compare_schemas', { schema: 'a', other_schema: 'b' });
    for (const same of ['function f', 'view names', 'constraint people.people_boss_fkey', 'column people.mood'])
      expect(text).not.toContain(same);
    expect(await session.text('compare_schemas', { schema: 'a' })).toMatch(/^differences on this page: 0; equal objects: \d+$/);
  });
});

describe('er_diagram', () => {
  it('draws unusual names in valid Mermaid syntax', async () => {
    await using session = await database.connect(EXTRA);
    const text = await session.text('er_diagram', { schema: 'a', columns: 'all' });
    expect(text).toContain(`  t0["1 'odd' name"] {\n    integer person FK\n    uuid the_key_ PK "the 'key'"\n    numeric amount`);
    expect(text).toContain('  people |o--o| t0 : "person"');
    expect(text).toContain('    text[] tags\n');
    expect(text).toContain('  people |o--o{ people : "boss"');
    const several = await session.text('er_diagram', { tables: ['a.people', 'b.people'], columns: 'none' });
    expect(several).toContain('  t0["a.people"]\n  t1["b.people"]\n  t0 |o--o{ t0');
    expect(await session.text('er_diagram', { limit: 1 })).toContain(
      '[1 table is shown, and more exist: pass the names of the missing tables as the argument tables.]',
    );
  });
});

describe('generate_types', () => {
  it('generates types for Python', async () => {
    await using session = await database.connect(EXTRA);
    const text = await session.text('generate_types', { schema: 'a', language: 'python' });
    expect(text).toContain(
      '# Who */ works here\nPeople = TypedDict("People", {\n    "id": int,\n    "full name": Optional[str],\n',
    );
    expect(text).toContain('    "mood": Literal["ok", "not \\"ok\\""],\n');
    expect(text).toContain('    "tags": Optional[list[Optional[str]]],\n');
  });
});

describe('profile_column', () => {
  it('reads a part of a large table, and reports the sampling', async () => {
    await using session = await database.connect(EXTRA);
    const { structuredContent } = await session.call('profile_column', {
      table: 'order_lines',
      column: 'product_id',
      max_rows: 10_000,
    });
    expect(structuredContent).toMatchObject({ sampled: true });
  });

  it.each([
    ['json', { table: 'products', column: 'attributes' }, { distinct: 3, type: 'jsonb' }],
    ['an odd name', { table: 'a."1 ""odd"" name"', column: 'the "key"' }, { rows: 0, top: [] }],
    ['a view', { table: 'revenue', column: 'month' }, { nulls: 0, min: expect.stringContaining('2025-01') }],
  ])('profiles %s', async (_, args, facts) => {
    await using session = await database.connect(EXTRA);
    expect((await session.call('profile_column', args)).structuredContent).toMatchObject(facts);
  });

  it.each([
    [
      'a missing table',
      { table: 'ordres', column: 'id' },
      /^UNDEFINED_OBJECT: table or view "ordres" does not exist\ndid you mean orders/,
    ],
    [
      'a missing column',
      { table: 'orders', column: 'notes' },
      /^UNDEFINED_OBJECT: column "notes" does not exist in orders\ndid you mean note/,
    ],
    ['SQL for a table', { table: 'orders; drop table orders', column: 'id' }, /^(SYNTAX|UNDEFINED_OBJECT)/],
  ])('rejects %s', async (_, args, error) => {
    await using session = await database.connect(EXTRA);
    expect(await session.fails('profile_column', args)).toMatch(error);
  });
});

describe('compare_schemas', () => {
  it('reports a missing schema', async () => {
    await using session = await database.connect(EXTRA);
    expect(await session.fails('compare_schemas', { schema: 'a', other_schema: 'nope' })).toMatch(
      /^UNDEFINED_OBJECT: schema "nope" does not exist/,
    );
  });
});
