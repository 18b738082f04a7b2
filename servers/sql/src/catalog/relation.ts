import { ToolError } from '@org/mcp-decorators';

import type { Connection } from '../database/connection.ts';
import type { Row } from '../rows/format.ts';
import { jsonStrings } from './json-strings.ts';
import type { ObjectName } from './object-name.ts';

/** A table or what can be read like one. */
export interface Relation {
  readonly oid: string;
  readonly schema: string;
  readonly name: string;
  readonly kind: string;
  readonly comment: string | undefined;
  /** The planner's guess. */
  readonly estimatedRows: number | undefined;
  readonly bytes: number | undefined;
  readonly viewDefinition: string | undefined;
}

export interface Column {
  readonly name: string;
  readonly type: string;
  readonly nullable: boolean;
  readonly default: string | undefined;
  readonly comment: string | undefined;
  readonly labels: string[];
}

export interface Constraint {
  readonly name: string;
  readonly kind: string;
  readonly columns: string[];
  readonly definition: string;
  /** Of a foreign key: the table on the other side. */
  readonly other: string | undefined;
  readonly otherColumns: string[];
  /** The foreign key is another table's, and leads here. */
  readonly incoming: boolean;
}

export interface Index {
  readonly name: string;
  readonly definition: string;
}

/**
 * Finds a relation by its name as it is, else in lower case, as SQL would.
 *
 * @throws ToolError UNDEFINED_OBJECT
 */
export async function findRelation(connection: Connection, { schema, name }: ObjectName): Promise<Relation> {
  const [row] = await connection.rows(RELATION, [name, schema ?? null]);
  const shown = schema === undefined ? name : `${schema}.${name}`;
  if (row === undefined)
    throw new ToolError('UNDEFINED_OBJECT', `there is no table or view "${shown}"`, { data: { object: shown } });
  const [oid, nspname, relname, kind, comment, rows, bytes, definition] = row;
  return {
    oid: oid ?? '',
    schema: nspname ?? '',
    name: relname ?? '',
    kind: kind ?? '',
    comment: comment ?? undefined,
    estimatedRows: numberIn(rows),
    bytes: numberIn(bytes),
    viewDefinition: definition ?? undefined,
  };
}

export async function columnsOf(connection: Connection, { oid }: Relation): Promise<readonly Column[]> {
  return (await connection.rows(COLUMNS, [oid])).map(([name, type, nullable, initial, comment, labels]) => ({
    name: name ?? '',
    type: type ?? '',
    nullable: nullable === 't',
    default: initial ?? undefined,
    comment: comment ?? undefined,
    labels: jsonStrings(labels),
  }));
}

export async function constraintsOf(connection: Connection, { oid }: Relation): Promise<readonly Constraint[]> {
  return (await connection.rows(CONSTRAINTS, [oid])).map(constraint);
}

export async function indexesOf(connection: Connection, { oid }: Relation): Promise<readonly Index[]> {
  const rows = await connection.rows(INDEXES, [oid]);
  return rows.map(([name, definition]) => ({ name: name ?? '', definition: definition ?? '' }));
}

function constraint([name, kind, columns, definition, other, otherColumns, incoming]: Row): Constraint {
  return {
    name: name ?? '',
    kind: kind ?? '',
    columns: jsonStrings(columns),
    definition: definition ?? '',
    other: other ?? undefined,
    otherColumns: jsonStrings(otherColumns),
    incoming: incoming === 't',
  };
}

function numberIn(text: string | null | undefined): number | undefined {
  return text === null || text === undefined ? undefined : Number(text);
}

/** What the letters of `pg_class.relkind` stand for. */
export const RELATION_KIND = `
  case c.relkind when 'v' then 'view' when 'm' then 'materialized_view' when 'f' then 'foreign_table' else 'table' end`;

const RELATION = `
  select c.oid, n.nspname, c.relname, ${RELATION_KIND}, obj_description(c.oid, 'pg_class'),
    case when c.reltuples >= 0 and c.relkind <> 'v' then c.reltuples::bigint end,
    case when c.relkind in ('r', 'm') then pg_table_size(c.oid) end,
    case when c.relkind in ('v', 'm') then pg_get_viewdef(c.oid, true) end
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p', 'v', 'm', 'f') and c.relname in ($1::text, lower($1::text))
    and case when $2::text is null then pg_table_is_visible(c.oid) else n.nspname in ($2::text, lower($2::text)) end
  order by c.relname = $1::text desc, n.nspname is not distinct from $2::text desc
  limit 1`;

const COLUMNS = `
  select a.attname, format_type(a.atttypid, a.atttypmod), not a.attnotnull,
    case
      when a.attidentity <> '' then 'identity'
      when a.attgenerated <> '' then 'generated as ' || pg_get_expr(d.adbin, d.adrelid)
      else pg_get_expr(d.adbin, d.adrelid)
    end,
    col_description(a.attrelid, a.attnum),
    (select json_agg(e.enumlabel order by e.enumsortorder) from pg_enum e where e.enumtypid = a.atttypid)
  from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  where a.attrelid = $1::oid and a.attnum > 0 and not a.attisdropped
  order by a.attnum`;

const CONSTRAINTS = `
  select o.conname,
    case o.contype when 'p' then 'primary_key' when 'u' then 'unique' when 'f' then 'foreign_key' when 'c' then 'check' else 'exclusion' end,
    (select json_agg(a.attname order by k.place)
      from unnest(o.conkey) with ordinality k (number, place)
      join pg_attribute a on a.attrelid = o.conrelid and a.attnum = k.number),
    pg_get_constraintdef(o.oid, true),
    case when o.contype <> 'f' then null when o.conrelid = $1::oid then o.confrelid::regclass::text else o.conrelid::regclass::text end,
    (select json_agg(a.attname order by k.place)
      from unnest(o.confkey) with ordinality k (number, place)
      join pg_attribute a on a.attrelid = o.confrelid and a.attnum = k.number),
    o.conrelid <> $1::oid
  from pg_constraint o
  where (o.conrelid = $1::oid or o.confrelid = $1::oid) and o.contype in ('p', 'u', 'f', 'c', 'x')
  order by o.conrelid <> $1::oid, array_position(array['p', 'u', 'f', 'c', 'x'], o.contype::text), o.conname`;

const INDEXES = `
  select c.relname, pg_get_indexdef(i.indexrelid)
  from pg_index i join pg_class c on c.oid = i.indexrelid
  where i.indrelid = $1::oid
  order by c.relname`;
