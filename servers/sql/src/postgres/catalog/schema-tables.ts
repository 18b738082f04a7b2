import type { Reference, SchemaColumn, SchemaTable, TableChoice } from '../../catalog/schema-table.ts';
import type { Row } from '../../rows/format.ts';
import type { Connection } from '../database/connect/connection.ts';
import { findCodeTypes } from './code-types.ts';
import { parseJsonStrings } from './json-strings.ts';

/** Reads tables and views that the role may see, sorted by name, with three queries for any number of tables. */
export async function readTables(
  connection: Connection,
  { schema, tables, limit }: TableChoice,
): Promise<readonly SchemaTable[]> {
  const names = tables === undefined ? null : JSON.stringify(tables);
  const found = await connection.rows(TABLES, [schema ?? null, names, String(limit)]);
  const oids = `{${found.map(([oid]) => oid ?? '').join(',')}}`;
  const columns = groupRows(await connection.rows(COLUMNS, [oids]));
  const references = groupRows(await connection.rows(REFERENCES, [oids]));
  return found.map(([oid, nspname, name, comment]) => ({
    schema: nspname ?? '',
    name: name ?? '',
    comment: comment ?? undefined,
    columns: (columns.get(oid) ?? []).map(parseColumn),
    references: (references.get(oid) ?? []).map(parseReference),
  }));
}

/** Groups rows by their first value. */
function groupRows(rows: readonly Row[]): ReadonlyMap<string | null | undefined, readonly Row[]> {
  const found = new Map<string | null | undefined, Row[]>();
  for (const row of rows) found.set(row[0], [...(found.get(row[0]) ?? []), row]);
  return found;
}

function parseColumn([, name, type, isArray, nullable, isKey, comment, labels]: Row): SchemaColumn {
  return {
    name: name ?? '',
    type: type ?? '',
    isArray: isArray === 't',
    codeTypes: findCodeTypes(type ?? ''),
    nullable: nullable === 't',
    isKey: isKey === 't',
    comment: comment ?? undefined,
    labels: parseJsonStrings(labels),
  };
}

function parseReference([, columns, schema, table, isUnique]: Row): Reference {
  return { columns: parseJsonStrings(columns), schema: schema ?? '', table: table ?? '', isUnique: isUnique === 't' };
}

const TABLES = `
  select c.oid, n.nspname, c.relname, obj_description(c.oid, 'pg_class')
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p', 'v', 'm', 'f') and not c.relispartition
    and n.nspname not in ('pg_catalog', 'information_schema') and n.nspname !~ '^pg_(toast|temp)'
    and has_schema_privilege(n.oid, 'usage') and ($1::text is null or n.nspname = $1)
    and ($2::json is null or c.oid in (
      select to_regclass(t) from json_array_elements_text($2) t
      union all select to_regclass(quote_ident($1) || '.' || t) from json_array_elements_text($2) t where $1 is not null and strpos(t, '.') = 0))
  order by n.nspname, c.relname
  limit $3::int`;

const COLUMNS = `
  select a.attrelid, a.attname, regexp_replace(format_type(coalesce(nullif(t.typelem, 0), t.oid), null), '\\(.*\\)', ''), t.typcategory = 'A',
    not a.attnotnull, exists (select from pg_constraint o where o.conrelid = a.attrelid and o.contype = 'p' and a.attnum = any (o.conkey)),
    col_description(a.attrelid, a.attnum),
    (select json_agg(e.enumlabel order by e.enumsortorder) from pg_enum e where e.enumtypid = coalesce(nullif(t.typelem, 0), t.oid))
  from pg_attribute a join pg_type d on d.oid = a.atttypid join pg_type t on t.oid = case d.typtype when 'd' then d.typbasetype else d.oid end
  where a.attrelid = any ($1::oid[]) and a.attnum > 0 and not a.attisdropped
  order by a.attrelid, a.attnum`;

const REFERENCES = `
  select o.conrelid,
    (select json_agg(a.attname order by k.place) from unnest(o.conkey) with ordinality k (number, place)
      join pg_attribute a on a.attrelid = o.conrelid and a.attnum = k.number),
    n.nspname, c.relname,
    exists (select from pg_index i where i.indrelid = o.conrelid and i.indisunique and i.indpred is null
      and i.indnkeyatts = cardinality(o.conkey) and string_to_array(i.indkey::text, ' ')::int2[] <@ o.conkey)
  from pg_constraint o join pg_class c on c.oid = o.confrelid join pg_namespace n on n.oid = c.relnamespace
  where o.contype = 'f' and o.conrelid = any ($1::oid[]) and o.conparentid = 0
  order by o.conrelid, o.conname`;
