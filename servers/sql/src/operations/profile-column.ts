import { Field, Flag, Integer, ListOf, Text, ToolError, type RequestContext } from '@org/mcp-decorators';
import { IsNumber, IsOptional } from 'class-validator';

import type { Connection } from '../database/connection.ts';
import { MAX_OBJECT_NAME } from '../catalog/object-name.ts';
import type { Database } from '../database/database.ts';
import { DatabaseInput } from './database-input.ts';
import { withSuggestions } from './suggestions.ts';

export class ProfileColumnInput extends DatabaseInput {
  @Text('Table or view, such as orders or shop.orders', { minLength: 1, maxLength: MAX_OBJECT_NAME }) table!: string;
  @Text({ minLength: 1, maxLength: MAX_OBJECT_NAME }) column!: string;
  @Integer('Most frequent values to show', { min: 0, max: 100 }) top = 10;

  @Integer('Most rows to look at; of larger tables some blocks are read by chance', { min: 1, max: 10_000_000 })
  max_rows = 100_000;
}

export class FrequentValue {
  @Text('Cut to 200 characters') value!: string;
  @Integer() count!: number;
}

export class ColumnProfile {
  @Text() type!: string;
  @Integer('That were looked at') rows!: number;
  @Flag('Not all rows were looked at') sampled!: boolean;
  @Integer() nulls!: number;
  @Integer('Different values') distinct!: number;
  @Text({ optional: true }) min?: string;
  @Text({ optional: true }) max?: string;

  @Field('Of numbers')
  @IsOptional()
  @IsNumber()
  average?: number;

  @ListOf(() => FrequentValue, 'The most frequent first') top!: FrequentValue[];
}

interface Target {
  readonly table: string;
  readonly column: string;
  readonly type: string;
  /** As `pg_type.typcategory`. */
  readonly category: string;
  /** As the planner guesses; of a view nothing is known. */
  readonly rows: number;
  /** Its blocks can be read by chance. */
  readonly hasBlocks: boolean;
}

/** @throws ToolError UNDEFINED_OBJECT, and those of `Database.readOnly` */
export function profileColumn(database: Database, input: ProfileColumnInput, context: RequestContext): Promise<ColumnProfile> {
  const { table, column, top, max_rows: most } = input;
  const options = { signal: context.signal, timeoutMs: database.timeoutFor(input) };
  return withSuggestions(database, context, () =>
    database.readOnly(options, async ({ connection }) => {
      const target = await find(connection, table, column);
      const sampled = target.hasBlocks && target.rows > most;
      const sql = profileSql(target, sampled ? most / target.rows : 1);
      const [row = []] = await connection.lastRows(sql, [String(most), String(top)]);
      const [rows, nulls, distinct, min, max, average, values] = row;
      return {
        type: target.type,
        rows: Number(rows),
        sampled: sampled || Number(rows) === most,
        nulls: Number(nulls),
        distinct: Number(distinct),
        ...(typeof min === 'string' && { min }),
        ...(typeof max === 'string' && { max }),
        ...(typeof average === 'string' && { average: Number(average) }),
        top: frequent(values),
      };
    }),
  );
}

async function find(connection: Connection, table: string, column: string): Promise<Target> {
  const [row] = await connection.rows(TARGET, [table, column]);
  const [oid, found, quoted, type, category, rows, hasBlocks] = row ?? [];
  if (typeof oid !== 'string')
    throw new ToolError('UNDEFINED_OBJECT', `there is no table or view "${table}"`, { data: { object: table } });
  if (typeof quoted !== 'string')
    throw new ToolError('UNDEFINED_OBJECT', `there is no column "${column}" in ${table}`, { data: { object: column } });
  return {
    table: found ?? '',
    column: quoted,
    type: type ?? '',
    category: category ?? '',
    rows: Number(rows),
    hasBlocks: hasBlocks === 't',
  };
}

/** Of which types there is a smallest and a largest value: dates, numbers, text, timespans. */
const ORDERED = /^[DNST]$/;

function profileSql({ table, column, category }: Target, part: number): string {
  const sample = part < 1 ? ` tablesample system (${Math.max(part * 100, 0.0001).toFixed(4)})` : '';
  const ends = ORDERED.test(category) ? 'left(min(v)::text, 200), left(max(v)::text, 200)' : 'null, null';
  // Not every type can be compared; its text can.
  return `
    with looked as materialized (select ${column} as v, left(${column}::text, 200) as t from ${table}${sample} limit $1::bigint)
    select count(*), count(*) - count(v), count(distinct t), ${ends}, ${category === 'N' ? 'round(avg(v)::numeric, 6)' : 'null'},
      (select json_agg(json_build_array(f.t, f.n::text) order by f.n desc, f.t)
        from (select t, count(*) as n from looked where t is not null group by t order by n desc, t limit $2::int) f)
    from looked`;
}

function frequent(json: string | null | undefined): FrequentValue[] {
  const pairs: unknown = JSON.parse(json ?? '[]');
  if (!Array.isArray(pairs)) return [];
  return pairs.flatMap((pair: unknown) => {
    const [value, count]: unknown[] = Array.isArray(pair) ? pair : [];
    return typeof value === 'string' ? [{ value, count: Number(count) }] : [];
  });
}

const TARGET = `
  select c.oid, c.oid::regclass, quote_ident(a.attname), format_type(a.atttypid, a.atttypmod), t.typcategory, c.reltuples,
    c.relkind in ('r', 'm') and c.reltuples >= 0
  from pg_class c
  left join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attname in ($2::text, lower($2::text))
  left join pg_type t on t.oid = a.atttypid
  where c.oid = to_regclass($1) and c.relkind in ('r', 'p', 'v', 'm', 'f')
  order by a.attname = $2::text desc
  limit 1`;
