import { ToolError } from '@org/mcp-decorators';

import type { Reference, SchemaColumn, SchemaTable, TableChoice } from '../../catalog/schema-table.ts';
import type { Row } from '../../rows/format.ts';
import type { Connection } from '../database/connect/connection.ts';
import { findCodeTypes } from './code-types.ts';
import { parseJsonStrings } from './json-strings.ts';

/**
 * Reads tables and views in the schemas that the role may use, sorted by schema and name. Partitions are omitted. Sends three
 * queries for any number of tables, and a fourth if tables are named.
 *
 * @throws ToolError UNDEFINED_OBJECT if a named table does not exist
 */
export async function readTables(
  connection: Connection,
  { schema, tables, limit }: TableChoice,
): Promise<readonly SchemaTable[]> {
  const names = tables === undefined ? null : JSON.stringify(tables);
  await requireRelations(connection, schema, names);
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

async function requireRelations(connection: Connection, schema: string | undefined, names: string | null): Promise<void> {
  if (names === null) return;
  const missing = (await connection.rows(MISSING, [schema ?? null, names])).map(([name]) => name ?? '');
  if (missing.length === 0) return;
  const message = `${missing.map((name) => JSON.stringify(name)).join(', ')} ${missing.length === 1 ? 'does' : 'do'} not exist`;
  throw new ToolError('UNDEFINED_OBJECT', message, { hint: 'find tables with search_objects', data: { objects: missing } });
}

/** Groups rows by their first value. */
function groupRows(rows: readonly Row[]): ReadonlyMap<string | null | undefined, readonly Row[]> {
  const found = new Map<string | null | undefined, Row[]>();
  for (const row of rows) found.set(row[0], [...(found.get(row[0]) ?? []), row]);
  return found;
}

function parseColumn([, name, typeName, array, nullable, isKey, comment, labels, builtIn]: Row): SchemaColumn {
  const type = { name: typeName ?? '', isArray: array === 't', isBuiltIn: builtIn === 't', labels: parseJsonStrings(labels) };
  return {
    name: name ?? '',
    type: type.name,
    isArray: type.isArray,
    codeTypes: findCodeTypes(type),
    nullable: nullable === 't',
    isKey: isKey === 't',
    comment: comment ?? undefined,
  };
}

function parseReference([, columns, schema, table, isUnique]: Row): Reference {
  return { columns: parseJsonStrings(columns), schema: schema ?? '', table: table ?? '', isUnique: isUnique === 't' };
}

const MISSING = `
  select t from json_array_elements_text($2::json) t
  where to_regclass(t) is null and ($1::text is null or to_regclass(quote_ident($1) || '.' || t) is null)`;

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

// In the result of a query, a column of a domain has the base type of the domain, so the recursive query resolves domains.
// `typelem` does not identify an array, because a type such as point has elements, too. A type is an array if it is the
// `typarray` of another type.
const COLUMNS = `
  select a.attrelid, a.attname, regexp_replace(format_type(coalesce(e.oid, t.oid), null), '\\(.*\\)', ''), e.oid is not null,
    not a.attnotnull, exists (select from pg_constraint o where o.conrelid = a.attrelid and o.contype = 'p' and a.attnum = any (o.conkey)),
    col_description(a.attrelid, a.attnum),
    (select json_agg(l.enumlabel order by l.enumsortorder) from pg_enum l where l.enumtypid = t.oid),
    coalesce(e.typnamespace, t.typnamespace) = 'pg_catalog'::regnamespace
  from pg_attribute a
    cross join lateral (
      with recursive bases(oid) as (
        select a.atttypid
        union all
        select d.typbasetype from bases b join pg_type d on d.oid = b.oid where d.typtype = 'd'
      )
      select p.oid, p.typnamespace from bases b join pg_type p on p.oid = b.oid where p.typtype <> 'd'
    ) t
    left join pg_type e on e.typarray = t.oid
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
