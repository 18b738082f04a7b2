// The queries of this file run in the copy of a database, as superuser. The search path contains only pg_catalog.

/**
 * SQL condition for an object in a schema `n` of users. A comparison of OIDs would be wrong: objects of users have low OIDs if
 * the database was prepared in single-user mode.
 */
export const OF_USERS = `n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')`;

/** Query of the objects of users as one JSON object: relations, columns, constraints and unique indexes. */
export const OBJECTS: string = `
  with relations as (
    select c.oid, c.relkind, c.relname, n.nspname, c.relfilenode, quote_ident(n.nspname) || '.' || quote_ident(c.relname) as sql
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = any (array['r', 'p', 'v', 'm', 'i', 'I']::"char"[]) and ${OF_USERS})
  select json_build_object(
    'relations', (select coalesce(json_agg(json_build_object('oid', r.oid::text, 'kind', r.relkind, 'sql', r.sql, 'file', r.relfilenode::text)
      order by r.oid), '[]') from relations r),
    'columns', (select coalesce(json_agg(json_build_object('table', r.oid::text, 'number', a.attnum, 'sql', quote_ident(a.attname),
        'type', format_type(a.atttypid, a.atttypmod), 'filled', a.atthasdef or a.attidentity <> '' or a.atthasmissing)), '[]')
      from relations r join pg_attribute a on a.attrelid = r.oid and a.attnum > 0 and not a.attisdropped
      where r.relkind = any (array['r', 'p']::"char"[])),
    'constraints', (select coalesce(json_agg(json_build_object('oid', k.oid::text, 'table', k.conrelid::text, 'name', k.conname, 'kind', k.contype,
        'validated', k.convalidated, 'condition', pg_get_expr(k.conbin, k.conrelid), 'numbers', k.conkey,
        'columns', (select json_agg(quote_ident(a.attname) order by w.place) from unnest(k.conkey) with ordinality w (number, place)
          join pg_attribute a on a.attrelid = k.conrelid and a.attnum = w.number),
        'parent', nullif(k.confrelid, 0)::text,
        'parent_columns', (select json_agg(quote_ident(a.attname) order by w.place) from unnest(k.confkey) with ordinality w (number, place)
          join pg_attribute a on a.attrelid = k.confrelid and a.attnum = w.number))), '[]')
      from pg_constraint k join relations r on r.oid = k.conrelid
      where k.contype = any (array['c', 'n', 'f']::"char"[]) and k.conparentid = 0),
    'unique', (select coalesce(json_agg(json_build_object('oid', i.indexrelid::text, 'table', i.indrelid::text, 'name', r.relname,
        'keys', (select json_agg(pg_get_indexdef(i.indexrelid, k, true) order by k) from generate_series(1, i.indnkeyatts) k),
        'condition', pg_get_expr(i.indpred, i.indrelid), 'nulls_equal', i.indnullsnotdistinct)), '[]')
      from pg_index i join relations r on r.oid = i.indexrelid join pg_class c on c.oid = i.indrelid
      where i.indisunique and not c.relispartition))`;

/** Query of the locks of the session `$1` on the relations `$2`. Excludes ACCESS SHARE, which every reader takes. */
export const LOCKS = `
  select quote_ident(n.nspname) || '.' || quote_ident(c.relname) as object, l.mode
  from pg_locks l join pg_class c on c.oid = l.relation join pg_namespace n on n.oid = c.relnamespace
  where l.pid = $1::int and l.granted and c.oid = any ($2::oid[]) and l.mode <> 'AccessShareLock'
    and c.relkind = any (array['r', 'p', 'v', 'm']::"char"[])`;

// Query of the number of rows and pages of the indexes that are not in `$1`. A new index is empty in the copy. Therefore the
// number of its pages is computed from the rows of its table and the width of its columns.
export const NEW_INDEXES: string = `
  select quote_ident(n.nspname) || '.' || quote_ident(c.relname) as sql, t.reltuples::float8 as rows,
    ceil(greatest(t.reltuples, 0) * (16 + coalesce((
      select sum(s.stawidth) from unnest(i.indkey::int2[]) k (number) join pg_statistic s on s.starelid = t.oid and s.staattnum = k.number), 8)) / 0.9 / 8192)::int as pages
  from pg_index i join pg_class c on c.oid = i.indexrelid join pg_namespace n on n.oid = c.relnamespace join pg_class t on t.oid = i.indrelid
  where c.relkind = 'i' and not c.oid = any ($1::oid[]) and ${OF_USERS}`;

// TRUNCATE rejects materialized views, so their rows remain.
export const TABLES_WITH_ROWS: string = `
  select quote_ident(n.nspname) || '.' || quote_ident(c.relname) as sql from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind = 'r' and ${OF_USERS}`;
