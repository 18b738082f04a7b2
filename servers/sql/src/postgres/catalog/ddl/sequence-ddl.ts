import { commentOn, SEQUENCE_OPTIONS } from './sql-fragments.ts';

/** SQL expression for `CREATE SEQUENCE`, from the rows `c` of `pg_class` and `s` of `pg_sequence`. */
export const CREATE_SEQUENCE: string = `
  'CREATE ' || case c.relpersistence when 'u' then 'UNLOGGED ' else '' end || 'SEQUENCE ' || c.oid::regclass
  || ' AS ' || format_type(s.seqtypid, null) || ' ' || ${SEQUENCE_OPTIONS} || ';'`;

/** SQL expression for `ALTER SEQUENCE … OWNED BY …`, from the row `d` of `pg_depend`. */
export const OWNED_BY: string = `
  'ALTER SEQUENCE ' || d.objid::regclass || ' OWNED BY ' || d.refobjid::regclass || '.' || (
    select quote_ident(a.attname) from pg_attribute a where a.attrelid = d.refobjid and a.attnum = d.refobjsubid) || ';'`;

export const SEQUENCE_DDL: string = `
  with statements (place, statement) as (
    select 1, ${CREATE_SEQUENCE}
    from pg_sequence s join pg_class c on c.oid = s.seqrelid where s.seqrelid = any ($1::oid[])
    union all
    select 2, ${OWNED_BY}
    from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = any ($1::oid[]) and d.deptype = 'a' and d.refobjsubid > 0
    union all
    select 3, ${commentOn(`'SEQUENCE ' || c.oid::regclass`, `obj_description(c.oid, 'pg_class')`)}
    from pg_class c where c.oid = any ($1::oid[])
  )
  select statement from statements where statement is not null order by place`;
