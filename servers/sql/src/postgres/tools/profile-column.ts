import { Field, Flag, Integer, ListOf, Result, Text, ToolError, type RequestContext } from '@org/mcp-decorators';
import { IsOptional } from 'class-validator/cjs/decorator/common/IsOptional.js';
import { IsNumber } from 'class-validator/cjs/decorator/typechecker/IsNumber.js';

import type { Connection } from '../database/connect/connection.ts';
import { MAX_OBJECT_NAME } from '../../catalog/object-name.ts';
import { timeoutFor } from '../../engine/limits.ts';
import type { Database } from '../database/database.ts';
import { fenced } from '../../rows/fenced.ts';
import { visible } from '../../rows/shown-value.ts';
import { DatabaseInput } from '../../tools/database-input.ts';
import { withSuggestions } from '../../tools/suggestions.ts';

export class ProfileColumnInput extends DatabaseInput {
  @Text('Table or view, such as orders or shop.orders', { minLength: 1, maxLength: MAX_OBJECT_NAME }) table!: string;
  @Text('Column to profile', { minLength: 1, maxLength: MAX_OBJECT_NAME }) column!: string;
  @Integer('Number of most frequent values to return', { min: 0, max: 100 }) top = 10;

  @Integer('Maximum number of rows to read; larger tables are sampled by random blocks', {
    min: 1,
    max: 10_000_000,
  })
  max_rows = 100_000;
}

export class FrequentValue {
  @Text('Cut to 200 characters') value!: string;
  @Integer() count!: number;
}

export class ColumnProfile {
  @Text() type!: string;
  @Integer('Number of rows read') rows!: number;
  @Flag('Only a part of the rows was read') sampled!: boolean;
  @Integer() nulls!: number;
  @Integer('Number of distinct values in the rows read, compared by their first 200 characters') distinct!: number;
  @Text({ optional: true }) min?: string;
  @Text({ optional: true }) max?: string;

  @Field('Only for numbers')
  @IsOptional()
  @IsNumber()
  average?: number;

  @ListOf(() => FrequentValue, 'Most frequent values first') top!: FrequentValue[];
}

interface ProfiledColumn {
  /** Qualified and quoted name. */
  readonly table: string;
  readonly column: string;
  readonly type: string;
  /** Category of the column's type, from `pg_type.typcategory`. */
  readonly category: string;
  /** Number of rows that PostgreSQL estimates in `pg_class`; negative without an estimate. */
  readonly rows: number;
  /** Whether TABLESAMPLE can read random blocks of the relation, and `rows` is known. */
  readonly hasBlocks: boolean;
}

/** @throws ToolError UNDEFINED_OBJECT, and errors of `Database.readOnly` */
export async function profileColumn(database: Database, input: ProfileColumnInput, context: RequestContext): Promise<Result> {
  const profile = await readProfile(database, input, context);
  return Result.of(profile, fenced(visible(formatProfile(profile, input)), ''));
}

async function readProfile(database: Database, input: ProfileColumnInput, context: RequestContext): Promise<ColumnProfile> {
  const { table, column, top, max_rows: most } = input;
  await database.policy.requireUnmaskedRelation(table, context.signal, column);
  const options = { signal: context.signal, timeoutMs: timeoutFor(database, input) };
  return withSuggestions(database, context, () =>
    database.readOnly(options, async ({ connection }) => {
      const target = await findColumn(connection, table, column);
      const sampled = target.hasBlocks && target.rows > most;
      const sql = buildProfileQuery(target, sampled ? most / target.rows : 1);
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
        top: parseFrequentValues(values),
      };
    }),
  );
}

async function findColumn(connection: Connection, table: string, column: string): Promise<ProfiledColumn> {
  const [row] = await connection.rows(TARGET, [table, column]);
  const [oid, found, quoted, type, category, rows, hasBlocks] = row ?? [];
  if (typeof oid !== 'string')
    throw new ToolError('UNDEFINED_OBJECT', `table or view "${table}" does not exist`, { data: { object: table } });
  if (typeof quoted !== 'string')
    throw new ToolError('UNDEFINED_OBJECT', `column "${column}" does not exist in ${table}`, { data: { object: column } });
  return {
    table: found ?? '',
    column: quoted,
    type: type ?? '',
    category: category ?? '',
    rows: Number(rows),
    hasBlocks: hasBlocks === 't',
  };
}

/** Type categories with a minimum and a maximum: dates, numbers, texts, time spans. */
const ORDERED = /^[DNST]$/;

function buildProfileQuery({ table, column, category }: ProfiledColumn, part: number): string {
  const sample = part < 1 ? ` tablesample system (${Math.max(part * 100, 0.0001).toFixed(4)})` : '';
  const ends = ORDERED.test(category) ? 'left(min(v)::text, 200), left(max(v)::text, 200)' : 'null, null';
  // Not every type has comparison operators, so distinct values are counted as text.
  return `
    with looked as materialized (select ${column} as v, left(${column}::text, 200) as t from ${table}${sample} limit $1::bigint)
    select count(*), count(*) - count(v), count(distinct t), ${ends}, ${category === 'N' ? 'round(avg(v)::numeric, 6)' : 'null'},
      (select json_agg(json_build_array(f.t, f.n::text) order by f.n desc, f.t)
        from (select t, count(*) as n from looked where t is not null group by t order by n desc, t limit $2::int) f)
    from looked`;
}

function parseFrequentValues(json: string | null | undefined): FrequentValue[] {
  const pairs: unknown = JSON.parse(json ?? '[]');
  if (!Array.isArray(pairs)) return [];
  return pairs.flatMap((pair: unknown) => {
    const [value, count]: unknown[] = Array.isArray(pair) ? pair : [];
    return typeof value === 'string' ? [{ value, count: Number(count) }] : [];
  });
}

function formatProfile(profile: ColumnProfile, { table, column }: ProfileColumnInput): string {
  const { type, rows, sampled, nulls, distinct, min, max, average, top } = profile;
  return [
    `${table}.${column} ${type}: ${rows} ${rows === 1 ? 'row' : 'rows'}${sampled ? ' of a sample' : ''}, ${nulls} null, ${distinct} distinct`,
    ...(min === undefined || max === undefined ? [] : [`from ${min} to ${max}`]),
    ...(average === undefined ? [] : [`average ${average}`]),
    ...top.map(({ value, count }) => `${count} × ${JSON.stringify(value)}`),
  ].join('\n');
}

const TARGET = `
  select c.oid, format('%I.%I', n.nspname, c.relname), quote_ident(a.attname), format_type(a.atttypid, a.atttypmod), t.typcategory, c.reltuples,
    c.relkind in ('r', 'm') and c.reltuples >= 0
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  left join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attname in ($2::text, lower($2::text))
  left join pg_type t on t.oid = a.atttypid
  where c.oid = to_regclass($1) and c.relkind in ('r', 'p', 'v', 'm', 'f')
  order by a.attname = $2::text desc
  limit 1`;
