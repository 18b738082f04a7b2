import { commentOn, storageOptions } from './sql-fragments.ts';
import { IS_INLINE_CONSTRAINT } from './table-columns.ts';

/** Subquery that finds the constraint which the index `i` enforces; used with EXISTS. */
const BACKED = `(select from pg_constraint o where o.conindid = i.indexrelid and o.contype in ('p', 'u', 'x'))`;

/**
 * SQL expression for the start of a statement that alters the relation `c`, such as `ALTER TABLE ONLY shop.orders`. A partitioned
 * table is altered without `ONLY`.
 */
const ALTER = `'ALTER ' || case c.relkind when 'f' then 'FOREIGN TABLE ONLY ' when 'm' then 'MATERIALIZED VIEW ' when 'v' then 'VIEW '
  when 'p' then 'TABLE ' else 'TABLE ONLY ' end || c.oid::regclass`;

const ALTER_COLUMN = `${ALTER} || ' ALTER COLUMN ' || quote_ident(a.attname)`;

const COLUMNS = `pg_class c join pg_attribute a on a.attrelid = c.oid join pg_type t on t.oid = a.atttypid
    where c.oid = any ($1::oid[]) and a.attnum > 0 and not a.attisdropped`;

const STORAGE = `case a.attstorage when 'p' then 'PLAIN' when 'e' then 'EXTERNAL' when 'm' then 'MAIN' else 'EXTENDED' end`;

const COMPRESSION = `case to_jsonb(a) ->> 'attcompression' when 'p' then 'pglz' when 'l' then 'lz4' end`;

/**
 * SQL condition for a trigger `g` that a partition did not inherit from its parent. Before PostgreSQL 13, `tgparentid` does not
 * exist, and inherited triggers are internal triggers, which the queries exclude.
 */
const IS_OWN_TRIGGER = `coalesce(to_jsonb(g) ->> 'tgparentid', '0') = '0'`;

const POLICY = `
  'CREATE POLICY ' || quote_ident(p.polname) || ' ON ' || c.oid::regclass || case when p.polpermissive then '' else ' AS RESTRICTIVE' end
  || ' FOR ' || case p.polcmd when 'r' then 'SELECT' when 'a' then 'INSERT' when 'w' then 'UPDATE' when 'd' then 'DELETE' else 'ALL' end
  || case when p.polroles = '{0}' then ''
    else ' TO ' || (select string_agg(quote_ident(r.rolname), ', ' order by r.rolname) from pg_roles r where r.oid = any (p.polroles)) end
  || coalesce(' USING (' || pg_get_expr(p.polqual, p.polrelid) || ')', '')
  || coalesce(' WITH CHECK (' || pg_get_expr(p.polwithcheck, p.polrelid) || ')', '') || ';'`;

/**
 * SQL that appends rows (place, name, statement) to a query with UNION ALL. The statements complete a relation after its creation:
 * defaults, indexes, constraints, triggers, comments and so on.
 */
export const ATTACHED: string = `
    union all
    select 10, a.attnum::text, ${ALTER_COLUMN} || ' SET DEFAULT ' || pg_get_expr(d.adbin, d.adrelid) || ';'
    from pg_class c join pg_attribute a on a.attrelid = c.oid join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    where c.oid = any ($1::oid[]) and c.relkind <> 'v' and not a.attislocal and not c.relispartition and a.attgenerated = ''
    union all
    select 11, a.attnum::text, ${ALTER_COLUMN} || ' SET STORAGE ' || ${STORAGE} || ';'
    from ${COLUMNS} and a.attstorage <> t.typstorage and c.relkind in ('r', 'p', 'm')
    union all
    select 12, a.attnum::text, ${ALTER_COLUMN} || ' SET COMPRESSION ' || ${COMPRESSION} || ';'
    from ${COLUMNS} and ${COMPRESSION} is not null and c.relkind in ('r', 'p', 'm')
    union all
    select 13, a.attnum::text, ${ALTER_COLUMN} || ' SET STATISTICS ' || a.attstattarget || ';'
    from ${COLUMNS} and a.attstattarget >= 0
    union all
    select 14, a.attnum::text, ${ALTER_COLUMN} || ' SET (' || ${storageOptions('a.attoptions')} || ');'
    from ${COLUMNS} and a.attoptions is not null
    union all
    select 20, x.relname::text, pg_get_indexdef(i.indexrelid) || ';'
    from pg_index i join pg_class x on x.oid = i.indexrelid
    where i.indrelid = any ($1::oid[]) and (i.indisvalid or x.relkind = 'I') and not exists ${BACKED}
    union all
    select 21, x.relname::text, 'ALTER INDEX ' || i.indexrelid::regclass || ' SET (' || ${storageOptions('x.reloptions')} || ');'
    from pg_index i join pg_class x on x.oid = i.indexrelid
    where i.indrelid = any ($1::oid[]) and x.reloptions is not null and exists ${BACKED}
    union all
    select 22, x.relname::text, ${ALTER} || ' CLUSTER ON ' || quote_ident(x.relname) || ';'
    from pg_index i join pg_class x on x.oid = i.indexrelid join pg_class c on c.oid = i.indrelid
    where i.indrelid = any ($1::oid[]) and i.indisclustered
    union all
    select 23, '', ${ALTER} || ' REPLICA IDENTITY ' || case c.relreplident when 'n' then 'NOTHING' when 'f' then 'FULL'
      else 'USING INDEX ' || (select quote_ident(x.relname) from pg_index i join pg_class x on x.oid = i.indexrelid
        where i.indrelid = c.oid and i.indisreplident) end || ';'
    from pg_class c where c.oid = any ($1::oid[]) and c.relkind in ('r', 'p') and c.relreplident <> 'd'
    union all
    select 30, '', 'ALTER TABLE ONLY ' || i.inhparent::regclass || ' ATTACH PARTITION ' || c.oid::regclass || ' ' || pg_get_expr(c.relpartbound, c.oid) || ';'
    from pg_class c join pg_inherits i on i.inhrelid = c.oid where c.oid = any ($1::oid[]) and c.relispartition
    union all
    select 40, o.conname::text, ${ALTER} || ' ADD CONSTRAINT ' || quote_ident(o.conname) || ' ' || pg_get_constraintdef(o.oid) || ';'
    from pg_class c join pg_constraint o on o.conrelid = c.oid
    where c.oid = any ($1::oid[]) and o.contype in ('f', 'c', 'n') and o.conparentid = 0 and o.conislocal
      and not (o.contype = 'n' and o.convalidated) and not ${IS_INLINE_CONSTRAINT}
    union all
    select 50, s.stxname::text, pg_get_statisticsobjdef(s.oid) || ';' from pg_statistic_ext s where s.stxrelid = any ($1::oid[])
    union all
    select 51, r.rulename::text, pg_get_ruledef(r.oid) from pg_rewrite r where r.ev_class = any ($1::oid[]) and r.rulename <> '_RETURN'
    union all
    select 52, g.tgname::text, pg_get_triggerdef(g.oid) || ';'
    from pg_trigger g where g.tgrelid = any ($1::oid[]) and not g.tgisinternal and ${IS_OWN_TRIGGER}
    union all
    select 53, g.tgname::text, 'ALTER TABLE ' || c.oid::regclass || case g.tgenabled when 'D' then ' DISABLE' when 'R' then ' ENABLE REPLICA' else ' ENABLE ALWAYS' end
      || ' TRIGGER ' || quote_ident(g.tgname) || ';'
    from pg_class c join pg_trigger g on g.tgrelid = c.oid
    where c.oid = any ($1::oid[]) and not g.tgisinternal and ${IS_OWN_TRIGGER} and g.tgenabled <> 'O'
    union all
    select 60, '', ${ALTER} || ' ENABLE ROW LEVEL SECURITY;' from pg_class c where c.oid = any ($1::oid[]) and c.relrowsecurity
    union all
    select 61, '', ${ALTER} || ' FORCE ROW LEVEL SECURITY;' from pg_class c where c.oid = any ($1::oid[]) and c.relforcerowsecurity
    union all
    select 62, p.polname::text, ${POLICY} from pg_class c join pg_policy p on p.polrelid = c.oid where c.oid = any ($1::oid[])
    union all
    select 70, '', ${commentOn(
      `case c.relkind when 'v' then 'VIEW ' when 'm' then 'MATERIALIZED VIEW ' when 'f' then 'FOREIGN TABLE ' else 'TABLE ' end || c.oid::regclass`,
      `obj_description(c.oid, 'pg_class')`,
    )} from pg_class c where c.oid = any ($1::oid[])
    union all
    select 71, to_char(a.attnum, '00000'), ${commentOn(`'COLUMN ' || c.oid::regclass || '.' || quote_ident(a.attname)`, 'col_description(c.oid, a.attnum)')}
    from ${COLUMNS}
    union all
    select 72, o.conname::text, ${commentOn(`'CONSTRAINT ' || quote_ident(o.conname) || ' ON ' || o.conrelid::regclass`, `obj_description(o.oid, 'pg_constraint')`)}
    from pg_constraint o where o.conrelid = any ($1::oid[])
    union all
    select 73, i.indexrelid::regclass::text, ${commentOn(`'INDEX ' || i.indexrelid::regclass`, `obj_description(i.indexrelid, 'pg_class')`)}
    from pg_index i where i.indrelid = any ($1::oid[])
    union all
    select 74, g.tgname::text, ${commentOn(`'TRIGGER ' || quote_ident(g.tgname) || ' ON ' || g.tgrelid::regclass`, `obj_description(g.oid, 'pg_trigger')`)}
    from pg_trigger g where g.tgrelid = any ($1::oid[]) and not g.tgisinternal
    union all
    select 75, p.polname::text, ${commentOn(`'POLICY ' || quote_ident(p.polname) || ' ON ' || p.polrelid::regclass`, `obj_description(p.oid, 'pg_policy')`)}
    from pg_policy p where p.polrelid = any ($1::oid[])`;
