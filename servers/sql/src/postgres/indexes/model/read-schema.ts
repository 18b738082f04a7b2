import type { Connection } from '../../database/connect/connection.ts';
import type { Masks } from '../../policy/masks/masks.ts';
import { hideStatistics } from './hide-statistics.ts';

/** A table, partition or view to be copied into the model. */
export interface ModelRelation {
  readonly schema: string;
  readonly name: string;
  readonly sql: string;
  /** The statement that creates the relation, without indexes. */
  readonly ddl: string;
  /** Whether the relation has a file. */
  readonly stored: boolean;
  /** Current number of pages of the file. */
  readonly pages: number;
  /** PostgreSQL's estimates of the pages, the rows and the all-visible pages, as in `pg_class`. */
  readonly relpages: number;
  readonly reltuples: number;
  readonly relallvisible: number;
}

/** An index to be copied into the model. */
interface ModelIndex extends ModelRelation {
  readonly table: string;
}

/** The parts of a database that decide the plans of statements. */
export interface ModelSchema {
  /** Statements that create schemas, extensions and types. */
  readonly setup: readonly string[];
  readonly relations: readonly ModelRelation[];
  readonly indexes: readonly ModelIndex[];
  /** Rows of pg_stats as a JSON array. */
  readonly statistics: string;
  /** Settings of the planner, as a JSON object. */
  readonly settings: string;
  /** A schema with more relations, partitions included, is not copied. */
  readonly maxRelations: number;
}

/** Reads everything that the model needs to plan statements on these relations. */
export async function readSchema(
  connection: Connection,
  oids: readonly string[],
  { masks, maxRelations }: { readonly masks: Masks | undefined; readonly maxRelations: number },
): Promise<ModelSchema> {
  const params = [JSON.stringify(oids), String(maxRelations + 1)];
  const relations = (await connection.rows(RELATIONS, params)).map(([json]) => parseRelation(json));
  const own = [JSON.stringify(relations.map(({ oid }) => oid))];
  const setup = (await connection.rows(SETUP, own)).flatMap(([statement]) => statement ?? []);
  const indexes = (await connection.rows(INDEXES, own)).map(([json]) => parseRelation(json));
  const [[statistics] = []] = await connection.rows(STATISTICS, [
    JSON.stringify([...relations, ...indexes].map(({ oid }) => oid)),
  ]);
  const [[settings] = []] = await connection.rows(SETTINGS, []);
  const shown = await hideStatistics(connection, masks, {
    relations: [...relations.map(({ oid, schema, name }) => ({ oid, schema, name })), ...indexes],
    statistics: statistics ?? '[]',
  });
  return { setup, relations, indexes, statistics: shown, settings: settings ?? '{}', maxRelations };
}

function parseRelation(json: string | null | undefined): ModelIndex & { readonly oid: string } {
  return JSON.parse(json ?? '{}') as ModelIndex & { readonly oid: string };
}

const FIGURES = `
  'oid', c.oid::text, 'schema', n.nspname, 'name', c.relname, 'sql', quote_ident(n.nspname) || '.' || quote_ident(c.relname),
  'stored', c.relkind in ('r', 'm', 'i'), 'pages', case when c.relkind in ('r', 'm', 'i') then pg_relation_size(c.oid) / 8192 else 0 end,
  'relpages', c.relpages, 'reltuples', c.reltuples, 'relallvisible', c.relallvisible`;

// Checks, defaults, foreign keys and generation expressions are omitted: they do not matter for plans, and could call functions
// of users. Every collation except C is replaced with another collation that is not C. Which indexes serve LIKE depends only on
// whether the collation is C.
const COLUMNS = `
  select string_agg(quote_ident(a.attname) || ' ' || format_type(a.atttypid, a.atttypmod)
    || case when a.attcollation = 0 then ''
      when coalesce(case when l.collname = 'default' then d.datcollate else l.collcollate end, '') in ('C', 'POSIX') then ' collate "C"'
      when l.collname = 'default' and d.datcollate = 'C.UTF-8' then ''
      else ' collate "unicode"' end
    || case when a.attnotnull then ' not null' else '' end, ', ' order by a.attnum)
  from pg_attribute a left join pg_collation l on l.oid = a.attcollation
  left join pg_database d on d.datname = current_database()
  where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped`;

const RELATIONS = `
  with recursive wanted (oid, level) as (
    select value::oid, 0 from json_array_elements_text($1::json)
    union all
    select h.inhrelid, w.level + 1 from pg_inherits h join wanted w on h.inhparent = w.oid join pg_class p on p.oid = w.oid
    where p.relkind = 'p'
  ), levels (oid, level) as (select oid, max(level) from wanted group by oid)
  select json_build_object(${FIGURES}, 'ddl', case
    when c.relkind = 'v' then 'create view ' || quote_ident(n.nspname) || '.' || quote_ident(c.relname) || ' as ' || pg_get_viewdef(c.oid)
    when c.relispartition and exists (select from levels q where q.oid = h.inhparent) then 'create table ' || quote_ident(n.nspname) || '.' || quote_ident(c.relname)
      || ' partition of ' || quote_ident(m.nspname) || '.' || quote_ident(p.relname) || ' ' || pg_get_expr(c.relpartbound, c.oid)
      || case when c.relkind = 'p' then ' partition by ' || pg_get_partkeydef(c.oid) else '' end
    else 'create table ' || quote_ident(n.nspname) || '.' || quote_ident(c.relname) || ' (' || coalesce((${COLUMNS}), '') || ')'
      || case when c.relkind = 'p' then ' partition by ' || pg_get_partkeydef(c.oid) else '' end end)
  from levels w join pg_class c on c.oid = w.oid join pg_namespace n on n.oid = c.relnamespace
  left join pg_inherits h on h.inhrelid = c.oid and c.relispartition
  left join pg_class p on p.oid = h.inhparent left join pg_namespace m on m.oid = p.relnamespace
  order by c.relkind = 'v', w.level, c.oid limit $2::int`;

const INDEXES = `
  select json_build_object(${FIGURES}, 'ddl', pg_get_indexdef(c.oid), 'table', i.indrelid::text)
  from pg_index i join pg_class c on c.oid = i.indexrelid join pg_namespace n on n.oid = c.relnamespace
  where i.indrelid = any (array(select value::oid from json_array_elements_text($1::json))) and i.indisvalid and c.relkind = 'i'
  order by c.oid`;

/** Extensions whose types and operators occur in tables and indexes, and that the embedded server contains. */
const EXTENSIONS =
  "array['pg_trgm', 'btree_gin', 'btree_gist', 'citext', 'hstore', 'ltree', 'intarray', 'cube', 'isn', 'seg', 'unaccent']::name[]";

const SETUP = `
  with used (oid) as (
    select distinct coalesce(nullif(t.typelem, 0), t.oid) from pg_attribute a join pg_type t on t.oid = a.atttypid
    where a.attrelid = any (array(select value::oid from json_array_elements_text($1::json))) and a.attnum > 0 and not a.attisdropped
  )
  select statement from (
    select 0, 'create schema if not exists ' || quote_ident(n.nspname) from pg_namespace n
    where n.nspname not like 'pg\\_%' and n.nspname <> 'information_schema'
    union all
    select 1, 'create extension if not exists ' || quote_ident(e.extname) || ' schema ' || quote_ident(n.nspname)
    from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname = any (${EXTENSIONS})
    union all
    select 2, 'create type ' || quote_ident(n.nspname) || '.' || quote_ident(t.typname) || ' as enum ('
      || (select string_agg(quote_literal(l.enumlabel), ', ' order by l.enumsortorder) from pg_enum l where l.enumtypid = t.oid) || ')'
    from pg_type t join pg_namespace n on n.oid = t.typnamespace join used u on u.oid = t.oid where t.typtype = 'e'
    union all
    select 3, 'create domain ' || quote_ident(n.nspname) || '.' || quote_ident(t.typname) || ' as ' || format_type(t.typbasetype, t.typtypmod)
    from pg_type t join pg_namespace n on n.oid = t.typnamespace join used u on u.oid = t.oid
    where t.typtype = 'd' and n.nspname <> 'information_schema'
  ) s (place, statement) order by place, statement`;

const STATISTICS = `
  select coalesce(json_agg(json_build_object('schemaname', s.schemaname, 'tablename', s.tablename, 'attname', s.attname, 'inherited', s.inherited,
    'null_frac', s.null_frac, 'avg_width', s.avg_width, 'n_distinct', s.n_distinct, 'most_common_vals', s.most_common_vals::text,
    'most_common_freqs', s.most_common_freqs, 'histogram_bounds', s.histogram_bounds::text, 'correlation', s.correlation,
    'most_common_elems', s.most_common_elems::text, 'most_common_elem_freqs', s.most_common_elem_freqs,
    'elem_count_histogram', s.elem_count_histogram)), '[]')
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  join pg_stats s on s.schemaname = n.nspname and s.tablename = c.relname
  where c.oid = any (array(select value::oid from json_array_elements_text($1::json)))`;

const SETTINGS = `
  select json_build_object('search_path', (select string_agg(quote_ident(s), ', ') from unnest(current_schemas(false)) s))::jsonb
    || coalesce((select jsonb_object_agg(name, setting) from pg_settings where context = 'user' and
      (category like 'Query Tuning%' or name in ('work_mem', 'TimeZone', 'DateStyle', 'max_parallel_workers_per_gather', 'max_parallel_workers'))
      and setting is distinct from boot_val), '{}')`;
