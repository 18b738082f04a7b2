import { ATTACHED } from './attached.ts';
import { CREATE_SEQUENCE, OWNED_BY } from './sequence-ddl.ts';
import { commentOn, foreignOptions, storageOptions } from './sql-fragments.ts';
import { TABLE_LINES } from './table-columns.ts';

const OPTIONS = `coalesce(' WITH (' || ${storageOptions('c.reloptions')} || ')', '')`;

const TABLESPACE = `coalesce((select ' TABLESPACE ' || quote_ident(s.spcname) from pg_tablespace s where s.oid = c.reltablespace), '')`;

const ACCESS_METHOD = `coalesce((select ' USING ' || quote_ident(m.amname) from pg_am m where m.oid = c.relam and m.amname <> 'heap'), '')`;

const CREATE_TABLE = `
  'CREATE ' || case when c.relkind = 'f' then 'FOREIGN ' when c.relpersistence = 'u' then 'UNLOGGED ' else '' end || 'TABLE ' || c.oid::regclass
  || ' (' || coalesce(${TABLE_LINES} || E'\\n', '') || ')'
  || case when c.relispartition then '' else coalesce((select E'\\nINHERITS (' || string_agg(i.inhparent::regclass::text, ', ' order by i.inhseqno) || ')'
    from pg_inherits i where i.inhrelid = c.oid), '') end
  || case when c.relkind = 'p' then E'\\nPARTITION BY ' || pg_get_partkeydef(c.oid) else '' end
  || coalesce((select E'\\nSERVER ' || quote_ident(v.srvname) || ${foreignOptions('f.ftoptions')}
    from pg_foreign_table f join pg_foreign_server v on v.oid = f.ftserver where f.ftrelid = c.oid), '')
  || ${ACCESS_METHOD} || ${OPTIONS} || ${TABLESPACE} || ';'`;

/**
 * Query of the `CREATE TABLE … PARTITION OF …` statements for the partitions of tables, at all levels, except foreign tables. The
 * indexes, constraints and comments of a partition occur only in the DDL of the partition itself.
 */
const PARTITIONS = `
  select t.level, 'CREATE TABLE ' || t.relid::regclass || ' PARTITION OF ' || t.parentrelid::regclass || ' '
    || pg_get_expr(k.relpartbound, k.oid) || case when k.relkind = 'p' then ' PARTITION BY ' || pg_get_partkeydef(k.oid) else '' end || ';'
  from pg_class c cross join lateral pg_partition_tree(c.oid) t join pg_class k on k.oid = t.relid
  where c.oid = any ($1::oid[]) and c.relkind = 'p' and t.level > 0 and k.relkind in ('r', 'p')`;

/**
 * Query of the statements that create tables, the sequences of their columns, the objects of `ATTACHED`, and the partitions of
 * the tables.
 */
export const TABLE_DDL: string = `
  with statements (place, name, statement) as (
    select 0, c.relname::text, ${CREATE_SEQUENCE}
    from pg_depend d join pg_class c on c.oid = d.objid join pg_sequence s on s.seqrelid = c.oid
    where d.classid = 'pg_class'::regclass and d.refclassid = 'pg_class'::regclass and d.refobjid = any ($1::oid[]) and d.deptype = 'a'
    union all
    select 1, '', ${CREATE_TABLE} from pg_class c where c.oid = any ($1::oid[])
    union all
    select 2, '', 'ALTER TABLE ' || c.oid::regclass || ' OF ' || format_type(c.reloftype, null) || ';'
    from pg_class c where c.oid = any ($1::oid[]) and c.reloftype <> 0
    union all
    select 3, d.objid::regclass::text, ${OWNED_BY}
    from pg_depend d join pg_sequence s on s.seqrelid = d.objid
    where d.classid = 'pg_class'::regclass and d.refclassid = 'pg_class'::regclass and d.refobjid = any ($1::oid[]) and d.deptype = 'a'
    ${ATTACHED}
    union all
    select 90, '', '-- partitions, without their own indexes, constraints and other objects'
    from pg_class c where c.oid = any ($1::oid[]) and c.relkind = 'p' and exists (select from pg_inherits i where i.inhparent = c.oid)
    union all
    select 90 + p.level, p.statement, p.statement from (${PARTITIONS}) p (level, statement)
  )
  select statement from statements where statement is not null order by place, name`;

export const VIEW_DDL: string = `
  with statements (place, name, statement) as (
    select 1, '', 'CREATE ' || case c.relkind when 'm' then 'MATERIALIZED ' else '' end || 'VIEW ' || c.oid::regclass
      || ${ACCESS_METHOD} || ${OPTIONS} || ${TABLESPACE} || E' AS\\n' || rtrim(pg_get_viewdef(c.oid), ';')
      || case when c.relkind = 'm' and not c.relispopulated then E'\\nWITH NO DATA' else '' end || ';'
    from pg_class c where c.oid = any ($1::oid[])
    union all
    select 2, a.attname, 'ALTER VIEW ' || c.oid::regclass || ' ALTER COLUMN ' || quote_ident(a.attname) || ' SET DEFAULT ' || pg_get_expr(d.adbin, d.adrelid) || ';'
    from pg_class c join pg_attribute a on a.attrelid = c.oid join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    where c.oid = any ($1::oid[])
    ${ATTACHED}
  )
  select statement from statements where statement is not null order by place, name`;

export const INDEX_DDL: string = `
  with statements (place, statement) as (
    select 1, coalesce((
        select 'ALTER TABLE ' || o.conrelid::regclass || ' ADD CONSTRAINT ' || quote_ident(o.conname) || ' ' || pg_get_constraintdef(o.oid)
        from pg_constraint o where o.conindid = c.oid and o.contype in ('p', 'u', 'x')),
      pg_get_indexdef(c.oid)) || ';'
    from pg_class c where c.oid = any ($1::oid[])
    union all
    select 2, ${commentOn(`'INDEX ' || c.oid::regclass`, `obj_description(c.oid, 'pg_class')`)}
    from pg_class c where c.oid = any ($1::oid[])
  )
  select statement from statements where statement is not null order by place`;
