import type { CatalogNames, NamedColumn, NamedRelation } from '../../catalog/catalog-names.ts';
import { TYPE_NAMES, toTypeKeys } from '../database/query/column-types.ts';
import type { Connection } from '../database/connect/connection.ts';
import type { ReadOnlyDatabase } from '../database/query/read-only-database.ts';
import type { Row } from '../../rows/format.ts';
import { RELATION_KIND } from './find-object.ts';
import { parseJsonStrings } from './json-strings.ts';

/** Reads all names with six queries, regardless of the size of the catalog. */
export async function loadSnapshot(database: ReadOnlyDatabase, signal: AbortSignal): Promise<CatalogNames> {
  return database.readOnly({ signal }, async ({ connection }) => {
    const schemas = await connection.rows(SCHEMAS, []);
    const relations = await connection.rows(RELATIONS, []);
    const columns = await loadColumns(connection);
    const functions = await connection.rows(FUNCTIONS, []);
    const enums = await connection.lastRows(ENUMS, []);
    return {
      schemas: schemas.map(([name]) => name ?? ''),
      relations: relations.map((row) => toRelation(row, columns)),
      functions: functions.map(([name]) => name ?? ''),
      enums: enums.map(([shown, labels]) => ({ shown: shown ?? '', labels: parseJsonStrings(labels) })),
    };
  });
}

/** Reads one row per relation, and the names of the types in a separate query. One row per column would take twice the time. */
async function loadColumns(connection: Connection): Promise<ReadonlyMap<string, readonly NamedColumn[]>> {
  const rows = await connection.rows(COLUMNS, []);
  const keys = new Set(rows.flatMap(([, , types]) => types?.split(',') ?? []));
  const names = await connection.rows(TYPE_NAMES, [toTypeKeys([...keys])]);
  const types = new Map(names.map(([key, name]) => [key, name ?? '']));
  return new Map(
    rows.map(([oid, columns, theirs]) => {
      const typeOf = theirs?.split(',') ?? [];
      const list = parseJsonStrings(columns).map((name, place) => ({ name, type: types.get(typeOf[place] ?? '') ?? '' }));
      return [oid ?? '', list] as const;
    }),
  );
}

function toRelation(
  [oid, schema, name, kind, shown, readable]: Row,
  columns: ReadonlyMap<string, readonly NamedColumn[]>,
): NamedRelation {
  return {
    schema: schema ?? '',
    name: name ?? '',
    kind: kind ?? '',
    shown: shown ?? '',
    readable: readable === 't',
    columns: columns.get(oid ?? '') ?? [],
  };
}

const IS_USER_SCHEMA = `n.nspname not in ('pg_catalog', 'information_schema') and n.nspname !~ '^pg_(toast|temp)'`;

const SCHEMAS = `select n.nspname from pg_namespace n where ${IS_USER_SCHEMA} order by 1`;

const RELATIONS = `
  select c.oid, n.nspname, c.relname, ${RELATION_KIND}, c.oid::regclass,
    case when has_table_privilege(c.oid, 'select') then true else has_any_column_privilege(c.oid, 'select') end
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p', 'v', 'm', 'f') and n.nspname !~ '^pg_(toast|temp)'`;

const COLUMNS = `
  select a.attrelid, json_agg(a.attname order by a.attnum), string_agg(a.atttypid || ' ' || a.atttypmod, ',' order by a.attnum)
  from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p', 'v', 'm', 'f') and a.attnum > 0 and not a.attisdropped and ${IS_USER_SCHEMA}
  group by a.attrelid`;

const FUNCTIONS = `
  select distinct p.oid::regproc::text from pg_proc p join pg_namespace n on n.oid = p.pronamespace
  where ${IS_USER_SCHEMA}`;

const ENUMS = `
  select t.oid::regtype, json_agg(e.enumlabel order by e.enumsortorder)
  from pg_type t join pg_namespace n on n.oid = t.typnamespace join pg_enum e on e.enumtypid = t.oid
  where ${IS_USER_SCHEMA} group by t.oid`;
