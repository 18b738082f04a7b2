import { describe, expect, it } from 'vitest';

import { loadPg } from '../../../src/postgres/database/protocol/load-pg.ts';
import { useDatabase } from '../../fixtures/postgres.ts';

/** Each item has a type, and a value of the type in SQL. The test also reads an array of the type. */
const VALUES: readonly (readonly [type: string, value: string])[] = [
  ['boolean', 'true'],
  ['smallint', '1'],
  ['integer', '1'],
  ['bigint', '1'],
  ['oid', '1'],
  ['real', '1.5'],
  ['double precision', '1.5'],
  ['numeric(10, 2)', '1.5'],
  ['money', '1.5'],
  ['text', "'a'"],
  ['varchar(9)', "'a'"],
  ['char(3)', "'a'"],
  ['"char"', "'a'"],
  ['name', "'a'"],
  ['bytea', "'a'"],
  ['uuid', "'123e4567-e89b-12d3-a456-426614174000'"],
  ['date', "'2026-01-02'"],
  ['time', "'10:00'"],
  ['timetz', "'10:00+01'"],
  ['timestamp', "'2026-01-02'"],
  ['timestamptz', "'2026-01-02'"],
  ['interval', "'1 day 2 seconds'"],
  ['json', `'{"a":1}'`],
  ['jsonb', `'{"a":1}'`],
  ['jsonpath', "'$.a'"],
  ['xml', "'<a/>'"],
  ['point', "'(1,2)'"],
  ['circle', "'<(1,2),3>'"],
  ['box', "'(1,2),(3,4)'"],
  ['line', "'{1,2,3}'"],
  ['lseg', "'[(1,2),(3,4)]'"],
  ['path', "'[(1,2),(3,4)]'"],
  ['polygon', "'((1,2),(3,4))'"],
  ['inet', "'10.0.0.1'"],
  ['cidr', "'10.0.0.0/8'"],
  ['macaddr', "'08:00:2b:01:02:03'"],
  ['macaddr8', "'08:00:2b:01:02:03:04:05'"],
  ['bit(3)', "'101'"],
  ['varbit', "'101'"],
  ['int4range', "'[1,2)'"],
  ['numrange', "'[1,2)'"],
  ['int4multirange', "'{[1,2)}'"],
  ['tsvector', "'a'"],
  ['pg_lsn', "'0/0'"],
  ['regproc', "'pg_catalog.now'"],
  ['kinds.mood', "'ok'"],
  ['kinds.amount', '1'],
  ['kinds.small_amount', '1'],
  ['kinds.pair', "'(1,a)'"],
  ['kinds.numbers', "'{1,2}'"],
  ['kinds."integer"', "'x'"],
];

const COLUMNS = VALUES.flatMap(([type, value], index) => [
  { name: `one_${index}`, type, value: `(${value})::${type}` },
  { name: `many_${index}`, type: `${type}[]`, value: `array[(${value})::${type}]` },
]).concat([{ name: 'vector', type: 'int2vector', value: "'1 2'::int2vector" }]);

const database = useDatabase({
  sql: `
    create schema kinds;
    create table kinds.people (id int);
    create schema more;
    create table more.people (id int);
    grant usage on schema more to mcp_ro;
    grant select on all tables in schema more to mcp_ro;
    create type kinds.mood as enum ('ok', 'bad');
    create domain kinds.amount as integer check (value > 0);
    create domain kinds.small_amount as kinds.amount check (value < 10);
    create domain kinds.numbers as integer[];
    create type kinds.pair as (a int, b text);
    create type kinds."integer" as enum ('x');
    create table kinds.everything (${COLUMNS.map(({ name, type }) => `${name} ${type} not null`).join(', ')});
    insert into kinds.everything select ${COLUMNS.map(({ value }) => value).join(', ')};
    grant usage on schema kinds to mcp_ro;
    grant select on all tables in schema kinds to mcp_ro;
  `,
});

/** Returns the type in TypeScript of a value of the driver, as the tool spells it. */
function spellType(value: unknown): string {
  if (Array.isArray(value)) return `(${[...new Set(value.map(spellType))].join(' | ')} | null)[]`;
  if (value instanceof Date) return 'Date';
  if (Buffer.isBuffer(value)) return 'Buffer';
  if (typeof value !== 'object' || value === null) return typeof value;
  const fields = Object.entries(value).map(([name, field]) => `${name}: ${typeof field}`);
  return `{ ${fields.join('; ')} }`;
}

/** Returns the generated type by column. */
function readProperties(code: string): ReadonlyMap<string, string> {
  return new Map([...code.matchAll(/^ {2}(\w+): (.*);$/gm)].map(([, name = '', type = '']) => [name, type]));
}

describe('the types that generate_types writes for TypeScript', () => {
  it('are those of the values that the driver returns', async () => {
    const { Client } = await loadPg();
    const client = new Client(database.config());
    await client.connect();
    const { rows } = await client.query<Record<string, unknown>>('select * from kinds.everything');
    await client.end();
    await using session = await database.connect({ tools: ['extra'] });
    const { structuredContent } = await session.call('generate_types', { tables: ['kinds.everything'] });
    const properties = readProperties((structuredContent as { code: string }).code);
    const written = COLUMNS.map(({ name, type }) => `${type}: ${simplify(properties.get(name) ?? '')}`);
    expect(written).toEqual(COLUMNS.map(({ name, type }) => `${type}: ${simplify(spellType(rows[0]?.[name]), type)}`));
  });

  it.each([{ tables: ['nope'] }, { tables: ['kinds.everything', 'kinds.nope'] }, { schema: 'kinds', tables: ['nope'] }])(
    'are not written if a table of %j does not exist',
    async (choice) => {
      await using session = await database.connect({ tools: ['extra'] });
      for (const tool of ['generate_types', 'er_diagram'])
        expect(await session.fails(tool, choice)).toMatch(/^UNDEFINED_OBJECT: "(?:kinds\.)?nope" does not exist/);
    },
  );

  it('give types of equally named tables different names', async () => {
    await using session = await database.connect({ tools: ['extra'] });
    expect(await session.text('generate_types', { tables: ['kinds.people', 'more.people'] })).toMatch(
      /interface People \{[^]*interface People2 \{/,
    );
  });
});

/** Replaces types that one value cannot show completely by simpler ones: labels of an enum, JSON, and fields of an interval. */
function simplify(type: string, declared = ''): string {
  const shown = type
    .replaceAll(/"\w+"(?: \| "\w+")*/g, 'string')
    .replaceAll(/\{ years\?[^}]*\}/g, 'interval')
    .replaceAll('{ days: number; seconds: number }', 'interval');
  return declared.startsWith('json') ? shown.replaceAll('{ a: number }', 'unknown') : shown;
}
