import { collation, commentOn } from './sql-words.ts';

const NAME = `(quote_ident(n.nspname) || '.' || quote_ident(t.typname))`;

const ENUM = `'CREATE TYPE ' || ${NAME} || E' AS ENUM (\\n    ' || coalesce((
    select string_agg(quote_literal(e.enumlabel), E',\\n    ' order by e.enumsortorder) from pg_enum e where e.enumtypid = t.oid), '')
  || E'\\n);'`;

const DOMAIN = `'CREATE DOMAIN ' || ${NAME} || ' AS ' || format_type(t.typbasetype, t.typtypmod)
  || ${collation('t.typcollation', '(select b.typcollation from pg_type b where b.oid = t.typbasetype)')}
  || coalesce(' DEFAULT ' || t.typdefault, '') || case when t.typnotnull then ' NOT NULL' else '' end
  || coalesce((select string_agg(E'\\n    CONSTRAINT ' || quote_ident(o.conname) || ' ' || pg_get_constraintdef(o.oid), '' order by o.conname)
    from pg_constraint o where o.contypid = t.oid and o.contype = 'c' and o.convalidated), '') || ';'`;

const COMPOSITE = `'CREATE TYPE ' || ${NAME} || E' AS (' || coalesce((
    select string_agg(E'\\n    ' || quote_ident(a.attname) || ' ' || format_type(a.atttypid, a.atttypmod)
      || ${collation('a.attcollation', '(select b.typcollation from pg_type b where b.oid = a.atttypid)')}, ',' order by a.attnum)
    from pg_attribute a where a.attrelid = t.typrelid and a.attnum > 0 and not a.attisdropped), '') || E'\\n);'`;

const RANGE = `'CREATE TYPE ' || ${NAME} || E' AS RANGE (\\n    ' || (
    select concat_ws(E',\\n    ', 'SUBTYPE = ' || format_type(r.rngsubtype, null),
      'SUBTYPE_OPCLASS = ' || (select quote_ident(m.nspname) || '.' || quote_ident(k.opcname)
        from pg_opclass k join pg_namespace m on m.oid = k.opcnamespace where k.oid = r.rngsubopc and not k.opcdefault),
      'COLLATION = ' || (select quote_ident(m.nspname) || '.' || quote_ident(l.collname)
        from pg_collation l join pg_namespace m on m.oid = l.collnamespace join pg_type b on b.oid = r.rngsubtype
        where l.oid = r.rngcollation and l.oid <> b.typcollation),
      'CANONICAL = ' || nullif(r.rngcanonical::oid, 0)::regproc, 'SUBTYPE_DIFF = ' || nullif(r.rngsubdiff::oid, 0)::regproc,
      'MULTIRANGE_TYPE_NAME = ' || (to_jsonb(r) ->> 'rngmultitypid')::oid::regtype)
    from pg_range r where r.rngtypid = t.oid) || E'\\n);'`;

/** Enums, domains, composite types and ranges; what is made in C cannot be made by SQL alone. */
export const TYPE_DDL: string = `
  with statements (place, name, statement) as (
    select 1, '', case t.typtype when 'e' then ${ENUM} when 'd' then ${DOMAIN} when 'c' then ${COMPOSITE} when 'r' then ${RANGE}
      when 'm' then '-- ' || ${NAME} || ' is made together with its range'
      else '-- ' || ${NAME} || ' is a base type, made of functions in C' end
    from pg_type t join pg_namespace n on n.oid = t.typnamespace where t.oid = any ($1::oid[])
    union all
    select 2, o.conname, 'ALTER DOMAIN ' || o.contypid::regtype || ' ADD CONSTRAINT ' || quote_ident(o.conname) || ' ' || pg_get_constraintdef(o.oid) || ';'
    from pg_constraint o where o.contypid = any ($1::oid[]) and o.contype = 'c' and not o.convalidated
    union all
    select 3, '', ${commentOn(`case t.typtype when 'd' then 'DOMAIN ' else 'TYPE ' end || ${NAME}`, `obj_description(t.oid, 'pg_type')`)}
    from pg_type t join pg_namespace n on n.oid = t.typnamespace where t.oid = any ($1::oid[])
    union all
    select 4, a.attname, ${commentOn(`'COLUMN ' || t.oid::regtype || '.' || quote_ident(a.attname)`, 'col_description(a.attrelid, a.attnum)')}
    from pg_type t join pg_attribute a on a.attrelid = t.typrelid where t.typtype = 'c' and t.oid = any ($1::oid[]) and a.attnum > 0
    union all
    select 5, o.conname, ${commentOn(`'CONSTRAINT ' || quote_ident(o.conname) || ' ON DOMAIN ' || o.contypid::regtype`, `obj_description(o.oid, 'pg_constraint')`)}
    from pg_constraint o where o.contypid = any ($1::oid[])
  )
  select statement from statements where statement is not null order by place, name`;
