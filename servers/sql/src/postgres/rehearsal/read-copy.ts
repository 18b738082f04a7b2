import type { RequestContext } from '@org/mcp-decorators';

import { loadStatements } from '../catalog/ddl/object-ddl.ts';
import type { Connection } from '../database/connect/connection.ts';
import type { Database } from '../database/database.ts';
import { OF_USERS } from './rehearsal-sql.ts';
import { readSchema, type ModelSchema } from '../indexes/model/read-schema.ts';

/** The sampled rows of a table. */
interface SampledRows {
  /** Qualified name as SQL. */
  readonly table: string;
  /** Column list as SQL. */
  readonly columns: string;
  /** The rows as a JSON array of objects. */
  readonly rows: string;
}

/** Size of a table in the database. */
export interface TableSize {
  /** Number of rows that PostgreSQL estimates in `pg_class`; `undefined` without an estimate. */
  readonly rows: number | undefined;
  readonly bytes: number;
}

/** The part of a database that a migration concerns. */
export interface DatabaseCopy {
  readonly schema: ModelSchema;
  /** Statements that create functions, tables and views. Their order does not respect all dependencies. */
  readonly ddl: readonly string[];
  readonly samples: readonly SampledRows[];
  /** Qualified names, as SQL, of the tables whose sampled rows exceed `maxSampleBytes`. These rows are not copied. */
  readonly unsampled: readonly string[];
  /** Sizes keyed by the qualified name as SQL. */
  readonly sizes: ReadonlyMap<string, TableSize>;
}

interface CopyOptions {
  /** Names of relations, in the syntax of `regclass`. */
  readonly names: readonly string[];
  /** Maximum number of rows to copy from each table; 0 for none. */
  readonly sampleRows: number;
  readonly timeoutMs: number;
  readonly signal: RequestContext['signal'];
}

/**
 * Reads the schema, sizes and sampled rows of the relations with these names, and of their partitions, parents and children.
 * Includes the tables that foreign keys link to these relations, directly or through other tables. Also includes the views that
 * read any of these relations, and all relations that these views read.
 */
export async function readCopy(database: Database, options: CopyOptions): Promise<DatabaseCopy> {
  const { names, sampleRows, timeoutMs, signal } = options;
  const { maxCopiedTables: maxRelations, maxSampleBytes } = database.limits;
  const oids = await database.readOnly({ signal, timeoutMs }, async ({ connection }) => {
    const rows = await connection.lastRows(RELATED, [JSON.stringify(names), String(maxRelations + 1)]);
    return rows.map(([oid]) => oid ?? '');
  });
  const schema = await database.readOnly({ signal, timeoutMs }, ({ connection }) =>
    readSchema(connection, oids, { masks: database.policy.masks, maxRelations }),
  );
  const [ddl, sampled] = await database.readOnly({ signal, timeoutMs }, async ({ connection }) => [
    await readStatements(connection, oids),
    await connection.rows(TABLES, [JSON.stringify(oids)]),
  ]);
  const sizes = new Map(
    sampled.map(([table, , rows, bytes]) => [
      table ?? '',
      { rows: rows === null ? undefined : Number(rows), bytes: Number(bytes) },
    ]),
  );
  // If columns are masked, no rows are sampled, because the message of a failing statement could reveal their values.
  const isSampled = sampleRows > 0 && database.policy.masks === undefined;
  const tables = isSampled
    ? sampled.flatMap(([table, columns]) => (columns === null ? [] : [{ table: table ?? '', columns }]))
    : [];
  const samples: SampledRows[] = [];
  const unsampled: string[] = [];
  for (const { table, columns = '' } of tables) {
    const read = `select json_agg(to_json(s)) from (select ${columns} from ${table} limit ${sampleRows}) s having count(*) > 0`;
    const limited = `select case when octet_length(s::text) <= ${maxSampleBytes} then s end from (${read}) s (s)`;
    const [row] = await database.rows(limited, [], { signal });
    if (row === undefined) continue;
    const [rows] = row;
    if (typeof rows === 'string') samples.push({ table, columns, rows });
    else unsampled.push(table);
  }
  return { schema, ddl, samples, unsampled, sizes };
}

async function readStatements(connection: Connection, oids: readonly string[]): Promise<readonly string[]> {
  const functions = await connection.rows(FUNCTIONS, [JSON.stringify(oids)]);
  const kinds = await connection.rows(KINDS, [JSON.stringify(oids)]);
  const select = (wanted: string): readonly string[] => kinds.flatMap(([oid, kind]) => (kind === wanted ? [oid ?? ''] : []));
  const created = [
    ...(await loadStatements(
      connection,
      'function',
      functions.map(([oid]) => oid ?? ''),
    )),
    ...(await loadStatements(connection, 'table', select('table'))),
    ...(await loadStatements(connection, 'view', select('view'))),
  ];
  return created.filter((statement) => !COMMENT.test(statement));
}

const COMMENT = /^(?:--|COMMENT ON )/;

const OF_RELATIONS = 'any (array(select value::oid from json_array_elements_text($1::json)))';

const RELATED = `
  with recursive named (oid) as (
    select distinct coalesce(i.indrelid, c.oid) from json_array_elements_text($1::json) name
      join pg_class c on c.oid = to_regclass(name) left join pg_index i on i.indexrelid = c.oid
      join pg_namespace n on n.oid = c.relnamespace
    where ${OF_USERS}),
  family (oid) as (
    select oid from named
    union
    select case when h.inhparent = f.oid then h.inhrelid else h.inhparent end
    from family f join pg_inherits h on f.oid in (h.inhparent, h.inhrelid)),
  linked (oid) as (
    select oid from family
    union
    select case when k.conrelid = f.oid then k.confrelid else k.conrelid end
    from family f join pg_constraint k on k.contype = 'f' and f.oid in (k.conrelid, k.confrelid)),
  read_by (oid) as (
    select oid from linked
    union
    select w.ev_class from read_by r join pg_depend d on d.refclassid = 'pg_class'::regclass and d.refobjid = r.oid
      and d.classid = 'pg_rewrite'::regclass join pg_rewrite w on w.oid = d.objid),
  reading (oid) as (
    select oid from read_by
    union
    select d.refobjid from reading r join pg_rewrite w on w.ev_class = r.oid join pg_depend d on d.classid = 'pg_rewrite'::regclass
      and d.objid = w.oid and d.refclassid = 'pg_class'::regclass)
  select c.oid from reading r join pg_class c on c.oid = r.oid join pg_namespace n on n.oid = c.relnamespace
  where ${OF_USERS} and c.relkind in ('r', 'p', 'v', 'm') order by c.oid limit $2::int`;

const FUNCTIONS = `
  select distinct p.oid from pg_depend d join pg_proc p on p.oid = d.refobjid join pg_language l on l.oid = p.prolang
    join pg_namespace n on n.oid = p.pronamespace
  where d.refclassid = 'pg_proc'::regclass and ${OF_USERS} and l.lanname in ('sql', 'plpgsql')
    and not exists (select from pg_depend e where e.classid = 'pg_proc'::regclass and e.objid = p.oid and e.deptype = 'e')
    and (d.classid = 'pg_trigger'::regclass and d.objid in (select t.oid from pg_trigger t where t.tgrelid = ${OF_RELATIONS})
      or d.classid = 'pg_constraint'::regclass and d.objid in (select k.oid from pg_constraint k where k.conrelid = ${OF_RELATIONS})
      or d.classid = 'pg_attrdef'::regclass and d.objid in (select f.oid from pg_attrdef f where f.adrelid = ${OF_RELATIONS})
      or d.classid = 'pg_rewrite'::regclass and d.objid in (select w.oid from pg_rewrite w where w.ev_class = ${OF_RELATIONS})
      or d.classid = 'pg_class'::regclass and d.objid in (select i.indexrelid from pg_index i where i.indrelid = ${OF_RELATIONS}))`;

const KINDS = `
  select c.oid, case when c.relkind in ('v', 'm') then 'view' else 'table' end from pg_class c
  where c.oid = ${OF_RELATIONS} order by c.oid`;

// Columns are listed if the role may read all columns of an ordinary table. Generated columns are omitted, because they cannot be
// inserted.
const TABLES = `
  select quote_ident(n.nspname) || '.' || quote_ident(c.relname),
    case when c.relkind = 'r' and has_table_privilege(c.oid, 'select') then (
      select string_agg(quote_ident(a.attname), ', ' order by a.attnum) from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') end,
    case when c.reltuples >= 0 then c.reltuples::bigint end, pg_total_relation_size(c.oid)
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.oid = ${OF_RELATIONS} and c.relkind in ('r', 'p', 'm') order by c.oid`;
