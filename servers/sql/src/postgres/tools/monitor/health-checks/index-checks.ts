import type { HealthCheck } from './health-check.ts';

/** Checks for unused, duplicate and invalid indexes, and for foreign keys without an index. */
export const INDEX_CHECKS: readonly HealthCheck[] = [
  {
    id: 'unused_indexes',
    unit: 'problems',
    warn: 1,
    critical: 2,
    sql: () => `
      select 1, s.indexrelid::regclass || ' on ' || s.relid::regclass || ': ' || pg_size_pretty(pg_relation_size(s.indexrelid))
          || ', never used since ' || coalesce(d.stats_reset::date::text, 'its creation'),
        'drop index concurrently ' || s.indexrelid::regclass
      from pg_stat_user_indexes s join pg_index i on i.indexrelid = s.indexrelid
      join pg_stat_database d on d.datname = current_database()
      where s.idx_scan = 0 and not i.indisunique and not i.indisexclusion and i.indisvalid and pg_relation_size(s.indexrelid) >= 1048576
      order by pg_relation_size(s.indexrelid) desc`,
  },
  {
    id: 'duplicate_indexes',
    unit: 'problems',
    warn: 1,
    critical: 2,
    // Among equal indexes, the check keeps the index of a constraint, otherwise a unique index, otherwise the index with the lowest OID.
    sql: () => `
      select 1, index::regclass || ' is the same as ' || kept::regclass || ' on ' || indrelid::regclass, 'drop index concurrently ' || index::regclass
      from (
        select indexrelid as index, indrelid, constrained,
          first_value(indexrelid) over (partition by indrelid, definition order by constrained desc, indisunique desc, indexrelid) as kept
        from (
          select i.indexrelid, i.indrelid, i.indisunique, exists (select from pg_constraint o where o.conindid = i.indexrelid) as constrained,
            concat_ws('|', c.relam, i.indkey, i.indclass, i.indcollation, i.indoption, i.indnkeyatts, pg_get_expr(i.indexprs, i.indrelid), pg_get_expr(i.indpred, i.indrelid)) as definition
          from pg_index i join pg_class c on c.oid = i.indexrelid join pg_namespace n on n.oid = c.relnamespace
          where i.indisvalid and n.nspname not in ('pg_catalog', 'pg_toast')
        ) defined
      ) ranked
      where index <> kept and not constrained
      order by pg_relation_size(index) desc`,
  },
  {
    id: 'invalid_indexes',
    unit: 'problems',
    warn: 1,
    critical: 2,
    sql: () => `
      select 1, i.indexrelid::regclass || ' on ' || i.indrelid::regclass, 'reindex index concurrently ' || i.indexrelid::regclass
      from pg_index i join pg_class c on c.oid = i.indexrelid
      where not i.indisvalid and c.relkind = 'i' and not exists (select from pg_stat_progress_create_index p where p.index_relid = i.indexrelid)
      order by 2`,
  },
  {
    id: 'missing_fk_indexes',
    unit: 'problems',
    warn: 1,
    critical: 2,
    // Without an index, deleting a referenced row scans the referencing table. The key columns may be the first columns of the
    // index in any order. PostgreSQL cannot create an index of a partitioned table concurrently, so the fix omits CONCURRENTLY.
    // Autovacuum analyzes only the partitions, so the number of rows is the sum of the partitions.
    sql: () => `
      select 1, o.conrelid::regclass || ' (' || k.columns || '), which refers to ' || o.confrelid::regclass,
        'create index ' || case c.relkind when 'p' then '' else 'concurrently ' end || 'on ' || o.conrelid::regclass || ' (' || k.columns || ')'
      from pg_constraint o join pg_class c on c.oid = o.conrelid
      cross join lateral (
        select string_agg(quote_ident(a.attname), ', ' order by u.place) as columns
        from unnest(o.conkey) with ordinality u (number, place) join pg_attribute a on a.attrelid = o.conrelid and a.attnum = u.number
      ) k
      cross join lateral (
        with recursive parts (oid, rows) as (
          select c.oid, c.reltuples union all
          select p.oid, p.reltuples from parts join pg_inherits i on i.inhparent = parts.oid join pg_class p on p.oid = i.inhrelid where c.relkind = 'p'
        )
        select sum(rows) filter (where rows > 0) as rows from parts where oid <> c.oid or c.relkind <> 'p'
      ) t
      where o.contype = 'f' and o.conparentid = 0 and t.rows >= 1000 and not exists (
        select from pg_index i
        where i.indrelid = o.conrelid and i.indisvalid and i.indpred is null
          and (string_to_array(i.indkey::text, ' ')::int2[])[1:cardinality(o.conkey)] @> o.conkey
      )
      order by t.rows desc, o.conname`,
  },
];
