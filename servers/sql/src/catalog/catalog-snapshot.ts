import { TYPE_NAMES, typeKeys } from '../database/column-types.ts';
import type { Connection } from '../database/connection.ts';
import type { Database } from '../database/database.ts';
import type { Row } from '../rows/format.ts';
import { RELATION_KIND } from './find-object.ts';
import { jsonStrings } from './json-strings.ts';

/** A table or what can be read like one. */
interface SnapshotRelation {
  readonly schema: string;
  readonly name: string;
  readonly kind: string;
  /** As SQL names it: without the schema where the search path leads to it. */
  readonly shown: string;
  /** The role may read a column of it at least. */
  readonly readable: boolean;
  /** In order; none are known of PostgreSQL's own relations. */
  readonly columns: readonly SnapshotColumn[];
}

interface SnapshotColumn {
  readonly name: string;
  readonly type: string;
}

/** The names that a database holds. */
export interface CatalogSnapshot {
  /** Without PostgreSQL's own. */
  readonly schemas: readonly string[];
  readonly relations: readonly SnapshotRelation[];
  /** As SQL names them, without PostgreSQL's own. */
  readonly functions: readonly string[];
}

/** Reads all names: five queries, whatever the size of the catalog. */
export async function loadSnapshot(database: Database, signal: AbortSignal): Promise<CatalogSnapshot> {
  return database.readOnly({ signal }, async ({ connection }) => {
    const schemas = await connection.rows(SCHEMAS, []);
    const relations = await connection.rows(RELATIONS, []);
    const columns = await columnsByRelation(connection);
    const functions = await connection.lastRows(FUNCTIONS, []);
    return {
      schemas: schemas.map(([name]) => name ?? ''),
      relations: relations.map((row) => relationOf(row, columns)),
      functions: functions.map(([name]) => name ?? ''),
    };
  });
}

/** A row for each relation, and the names of the few types by themselves: half the time of a row for each column. */
async function columnsByRelation(connection: Connection): Promise<ReadonlyMap<string, readonly SnapshotColumn[]>> {
  const rows = await connection.rows(COLUMNS, []);
  const keys = new Set(rows.flatMap(([, , types]) => types?.split(',') ?? []));
  const names = await connection.rows(TYPE_NAMES, [typeKeys([...keys])]);
  const types = new Map(names.map(([key, name]) => [key, name ?? '']));
  return new Map(
    rows.map(([oid, columns, theirs]) => {
      const typeOf = theirs?.split(',') ?? [];
      const list = jsonStrings(columns).map((name, place) => ({ name, type: types.get(typeOf[place] ?? '') ?? '' }));
      return [oid ?? '', list] as const;
    }),
  );
}

function relationOf(
  [oid, schema, name, kind, shown, readable]: Row,
  columns: ReadonlyMap<string, readonly SnapshotColumn[]>,
): SnapshotRelation {
  return {
    schema: schema ?? '',
    name: name ?? '',
    kind: kind ?? '',
    shown: shown ?? '',
    readable: readable === 't',
    columns: columns.get(oid ?? '') ?? [],
  };
}

const OF_USERS = `n.nspname not in ('pg_catalog', 'information_schema') and n.nspname !~ '^pg_(toast|temp)'`;

const SCHEMAS = `select n.nspname from pg_namespace n where ${OF_USERS} order by 1`;

const RELATIONS = `
  select c.oid, n.nspname, c.relname, ${RELATION_KIND}, c.oid::regclass,
    case when has_table_privilege(c.oid, 'select') then true else has_any_column_privilege(c.oid, 'select') end
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p', 'v', 'm', 'f') and n.nspname !~ '^pg_(toast|temp)'`;

const COLUMNS = `
  select a.attrelid, json_agg(a.attname order by a.attnum), string_agg(a.atttypid || ' ' || a.atttypmod, ',' order by a.attnum)
  from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p', 'v', 'm', 'f') and a.attnum > 0 and not a.attisdropped and ${OF_USERS}
  group by a.attrelid`;

const FUNCTIONS = `
  select distinct p.oid::regproc::text from pg_proc p join pg_namespace n on n.oid = p.pronamespace
  where ${OF_USERS}`;
