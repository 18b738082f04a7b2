import type { Connection } from '../../database/connect/connection.ts';

/** A column of a table. */
interface ColumnFacts {
  readonly name: string;
  /** Type as PostgreSQL writes it, such as `timestamp with time zone`. */
  readonly type: string;
  /** Most frequent values as text, with their share of the rows; empty without statistics. */
  readonly frequent: ReadonlyMap<string, number>;
  /** Share of nulls; `undefined` without statistics. */
  readonly nulls: number | undefined;
  /** Average width in bytes; `undefined` without statistics. */
  readonly width: number | undefined;
  /** Whether strings are compared byte by byte, so that an ordinary index finds prefixes. */
  readonly isC: boolean;
}

/** An existing index. */
interface IndexFacts {
  readonly method: string;
  /** Key columns and expressions, each with its operator class unless that is the default. */
  readonly keys: readonly string[];
  readonly isPartial: boolean;
}

/** A table, or a view with its definition. */
export interface TableFacts {
  readonly oid: string;
  readonly schema: string;
  readonly name: string;
  /** Schema and name as SQL. */
  readonly sql: string;
  readonly isPartitioned: boolean;
  /** Definition of a view; `undefined` for a table. */
  readonly definition: string | undefined;
  /**
   * PostgreSQL's estimate of the number of rows, including partitions. `undefined` without an estimate, and for a table without
   * pages.
   */
  readonly rows: number | undefined;
  /** Size in bytes, including partitions. */
  readonly bytes: number;
  readonly columns: ReadonlyMap<string, ColumnFacts>;
  readonly indexes: readonly IndexFacts[];
  /** Writes since the statistics were reset: inserts, updates, and updates that changed no index. */
  readonly writes: { readonly inserts: number; readonly updates: number; readonly hot: number };
}

/** Maximum number of tables and views whose facts are read. Further tables and views are omitted. */
const MAX_TABLES = 100;

/** Returns the tables and views with these names in all schemas of users, in no particular order. */
export async function readTableFacts(connection: Connection, names: readonly string[]): Promise<readonly TableFacts[]> {
  const rows = await connection.rows(FACTS, [JSON.stringify(names), String(MAX_TABLES)]);
  return rows.map(([facts]) => parseFacts(JSON.parse(facts ?? '{}')));
}

interface RawColumn {
  readonly name: string;
  readonly type: string;
  readonly is_c: boolean;
  readonly nulls: number | null;
  readonly width: number | null;
  readonly frequent: readonly string[] | null;
  readonly shares: readonly number[] | null;
}

interface RawFacts {
  readonly oid: string;
  readonly schema: string;
  readonly name: string;
  readonly sql: string;
  readonly kind: string;
  readonly definition: string | null;
  readonly rows: number | null;
  readonly bytes: number;
  readonly columns: readonly RawColumn[] | null;
  readonly indexes: readonly { readonly method: string; readonly keys: readonly string[]; readonly partial: boolean }[] | null;
  readonly inserts: number;
  readonly updates: number;
  readonly hot: number;
}

function parseFacts(raw: RawFacts): TableFacts {
  return {
    oid: raw.oid,
    schema: raw.schema,
    name: raw.name,
    sql: raw.sql,
    isPartitioned: raw.kind === 'p',
    definition: raw.definition ?? undefined,
    rows: raw.rows ?? undefined,
    bytes: raw.bytes,
    columns: new Map((raw.columns ?? []).map((column) => [column.name, parseColumn(column)])),
    indexes: (raw.indexes ?? []).map(({ method, keys, partial }) => ({ method, keys, isPartial: partial })),
    writes: { inserts: raw.inserts, updates: raw.updates, hot: raw.hot },
  };
}

function parseColumn({ name, type, is_c: isC, nulls, width, frequent, shares }: RawColumn): ColumnFacts {
  const pairs = (frequent ?? []).map((value, place) => [value, shares?.[place] ?? 0] as const);
  return { name, type, isC, nulls: nulls ?? undefined, width: width ?? undefined, frequent: new Map(pairs) };
}

const COLUMNS = `
  select json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, null), 'is_c',
      coalesce(case when l.collname = 'default' then d.datcollate else l.collcollate end, 'C') in ('C', 'POSIX'),
      'nulls', s.null_frac, 'width', s.avg_width, 'frequent', s.frequent, 'shares', s.most_common_freqs) order by a.attnum)
  from pg_attribute a
  left join pg_collation l on l.oid = a.attcollation
  left join pg_database d on d.datname = current_database()
  left join lateral (
    select p.null_frac, p.avg_width, p.most_common_freqs, p.most_common_vals::text::text[] as frequent
    from pg_stats p
    where p.schemaname = n.nspname and p.tablename = c.relname
      and p.attname = a.attname
    order by p.inherited desc limit 1
  ) s on true
  where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped`;

const KEYS = `
  select json_agg(pg_get_indexdef(i.indexrelid, k.place::int, true)
    || case when o.opcdefault then '' else ' ' || o.opcname end order by k.place)
  from generate_series(1, i.indnkeyatts) k (place)
  join pg_opclass o on o.oid = i.indclass[k.place - 1]`;

const INDEXES = `
  select json_agg(json_build_object('method', m.amname, 'keys', (${KEYS}), 'partial', i.indpred is not null))
  from pg_index i join pg_class x on x.oid = i.indexrelid
  join pg_am m on m.oid = x.relam
  where i.indrelid = c.oid and i.indisvalid`;

// A partitioned table has no rows and files of its own, so the figures are totals of its partitions.
const FACTS = `
  select json_build_object('oid', c.oid::text, 'schema', n.nspname, 'name', c.relname, 'kind', c.relkind,
    'sql', quote_ident(n.nspname) || '.' || quote_ident(c.relname),
    'definition', case when c.relkind = 'v' then pg_get_viewdef(c.oid) end,
    'rows', t.rows, 'bytes', t.bytes, 'inserts', t.inserts, 'updates', t.updates, 'hot', t.hot,
    'columns', (${COLUMNS}), 'indexes', (${INDEXES}))
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  cross join lateral (
    select sum(case when l.reltuples > 0 then l.reltuples when l.relpages > 0 then 0 end)::bigint as rows,
      coalesce(sum(pg_relation_size(l.oid)), 0)::bigint as bytes,
      coalesce(sum(w.n_tup_ins), 0)::bigint as inserts, coalesce(sum(w.n_tup_upd), 0)::bigint as updates,
      coalesce(sum(w.n_tup_hot_upd), 0)::bigint as hot
    from pg_class l left join pg_stat_all_tables w on w.relid = l.oid
    where l.relkind = any (array['r', 'm']::"char"[]) and (l.oid = c.oid or l.oid in (
      with recursive below (oid) as (
        select h.inhrelid from pg_inherits h where h.inhparent = c.oid
        union all
        select h.inhrelid from pg_inherits h join below b on h.inhparent = b.oid
      ) select oid from below where c.relkind = 'p'))
  ) t
  where c.relname = any (array(select json_array_elements_text($1::json))::name[])
    and c.relkind = any (array['r', 'p', 'm', 'v']::"char"[])
    and n.nspname <> all (array['pg_catalog', 'information_schema', 'pg_toast']::name[])
  limit $2::int`;
