import type { HealthCheck } from './health-check.ts';

/** Checks of the cache, dead rows, bloat, transaction ids and sequences. */
export const STORAGE_CHECKS: readonly HealthCheck[] = [
  {
    id: 'cache_hit_ratio',
    unit: '%',
    warn: 95,
    critical: 80,
    isFloor: true,
    sql: () => `
      select case when reads > 10000 then round(100.0 * hits / reads, 1) end,
        case when reads > 10000 then hits || ' of ' || reads || ' blocks were found in memory' else 'too few blocks were read for a result' end, null
      from (select sum(blks_hit) as hits, sum(blks_hit + blks_read) as reads from pg_stat_database where datname = current_database()) d`,
  },
  {
    id: 'dead_tuples',
    unit: '%',
    warn: 20,
    critical: 50,
    sql: () => `
      select round(100.0 * n_dead_tup / (n_live_tup + n_dead_tup), 1), relid::regclass || ': ' || n_dead_tup || ' dead rows',
        'vacuum (analyze) ' || relid::regclass
      from pg_stat_user_tables where n_dead_tup > 1000
      order by 1 desc`,
  },
  {
    id: 'bloat',
    unit: '%',
    warn: 50,
    critical: 80,
    // The used size is an estimate from the planner's statistics: the number of rows, times the average row width plus a header
    // of 28 bytes. `pg_stats` has only the columns that the role may read.
    sql: () => `
      select round(100.0 * (1 - least(used / size, 1))::numeric, 1), oid::regclass || ': about ' || round((size - used) / 1048576) || ' MB unused',
        'vacuum (full, analyze) ' || oid::regclass
      from (
        select c.oid, c.relpages * current_setting('block_size')::float8 as size, c.reltuples * (28 + w.width) as used
        from pg_class c join pg_namespace n on n.oid = c.relnamespace
        join (select schemaname, tablename, sum(avg_width * (1 - null_frac)) as width from pg_stats where not inherited group by 1, 2) w
          on w.schemaname = n.nspname and w.tablename = c.relname
        where c.relkind in ('r', 'm') and c.reltuples >= 0 and c.relpages > 128 and n.nspname not in ('pg_catalog', 'information_schema')
      ) t
      order by 1 desc`,
  },
  {
    id: 'wraparound',
    unit: '%',
    warn: 40,
    critical: 75,
    sql: () => `
      select round(100.0 * greatest(age(datfrozenxid), mxid_age(datminmxid)) / 2147483648, 1), 'database ' || datname,
        case when datname = current_database() then 'vacuum (freeze)' end
      from pg_database where datallowconn
      order by 1 desc`,
  },
  {
    id: 'sequences',
    unit: '%',
    warn: 75,
    critical: 90,
    sql: () => `
      (select round(100.0 * last_value / least(max_value, coalesce(column_max, max_value)), 1),
        sequence || ': ' || last_value || ' of ' || least(max_value, coalesce(column_max, max_value)),
        case when least(max_value, coalesce(column_max, max_value)) < 9223372036854775807 then coalesce('alter table ' || owner || ' alter column ' || quote_ident(column_name) || ' type bigint; ', '')
          || 'alter sequence ' || sequence || ' as bigint' end
      from (${SEQUENCES}) s where last_value is not null and increment_by > 0
      order by 1 desc)
      union all
      select null, count(*) || ' sequences cannot be read by this role', null
      from pg_class where case when relkind = 'S' then not has_sequence_privilege(oid, 'select, usage') end having count(*) > 0`,
  },
];

// The type of a column may be smaller than the type of its sequence, so the smaller maximum counts.
const SEQUENCES = `
  select c.oid::regclass as sequence, q.last_value, q.max_value, q.increment_by, d.refobjid::regclass as owner, a.attname as column_name,
    case a.atttypid when 'int2'::regtype then 32767 when 'int4'::regtype then 2147483647 end as column_max
  from pg_sequences q
  join pg_namespace n on n.nspname = q.schemaname
  join pg_class c on c.relnamespace = n.oid and c.relname = q.sequencename
  left join pg_depend d on d.classid = 'pg_class'::regclass and d.objid = c.oid and d.refclassid = 'pg_class'::regclass and d.deptype in ('a', 'i')
  left join pg_attribute a on a.attrelid = d.refobjid and a.attnum = d.refobjsubid`;
