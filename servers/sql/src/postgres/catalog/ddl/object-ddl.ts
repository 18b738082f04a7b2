import type { Connection } from '../../database/connect/connection.ts';
import type { CatalogObject } from '../find-object.ts';
import { SEQUENCE_DDL } from './sequence-ddl.ts';
import { INDEX_DDL, TABLE_DDL, VIEW_DDL } from './relation-ddl.ts';
import { collation, commentOn } from './sql-fragments.ts';

const SCHEMA_DDL: string = `
  select statement
  from pg_namespace n cross join lateral (values
    (1, 'CREATE SCHEMA ' || quote_ident(n.nspname) || ';'),
    (2, ${commentOn(`'SCHEMA ' || quote_ident(n.nspname)`, `obj_description(n.oid, 'pg_namespace')`)})
  ) s (place, statement)
  where n.oid = any ($1::oid[]) and statement is not null
  order by place`;

/** SQL expression for `CREATE AGGREGATE`, from the rows `g` of `pg_aggregate`, `p` of `pg_proc` and `n` of `pg_namespace`. */
const AGGREGATE = `
  'CREATE AGGREGATE ' || quote_ident(n.nspname) || '.' || quote_ident(p.proname) || '('
  || case when p.pronargs = 0 then '*' else pg_get_function_identity_arguments(p.oid) end || E') (\\n    '
  || concat_ws(E',\\n    ',
    'SFUNC = ' || g.aggtransfn::text, 'STYPE = ' || format_type(g.aggtranstype, null), 'SSPACE = ' || nullif(g.aggtransspace, 0),
    'FINALFUNC = ' || nullif(g.aggfinalfn::oid, 0)::regproc, case when g.aggfinalextra then 'FINALFUNC_EXTRA' end,
    'COMBINEFUNC = ' || nullif(g.aggcombinefn::oid, 0)::regproc, 'SERIALFUNC = ' || nullif(g.aggserialfn::oid, 0)::regproc,
    'DESERIALFUNC = ' || nullif(g.aggdeserialfn::oid, 0)::regproc, 'INITCOND = ' || quote_literal(g.agginitval),
    'MSFUNC = ' || nullif(g.aggmtransfn::oid, 0)::regproc, 'MINVFUNC = ' || nullif(g.aggminvtransfn::oid, 0)::regproc,
    'MSTYPE = ' || format_type(nullif(g.aggmtranstype, 0), null), 'MFINALFUNC = ' || nullif(g.aggmfinalfn::oid, 0)::regproc,
    'MINITCOND = ' || quote_literal(g.aggminitval),
    'SORTOP = ' || (select 'OPERATOR(' || quote_ident(m.nspname) || '.' || o.oprname || ')'
      from pg_operator o join pg_namespace m on m.oid = o.oprnamespace where o.oid = g.aggsortop),
    case p.proparallel when 's' then 'PARALLEL = safe' when 'r' then 'PARALLEL = restricted' end,
    case when g.aggkind = 'h' then 'HYPOTHETICAL' end)
  || E'\\n);'`;

const KIND = `case p.prokind when 'a' then 'AGGREGATE' when 'p' then 'PROCEDURE' else 'FUNCTION' end`;

/** Query of the statements that create the functions, procedures and aggregates with the OIDs in `$1`, in the order of `$1`. */
const FUNCTION_DDL: string = `
  select statement
  from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    left join pg_aggregate g on g.aggfnoid = p.oid
    cross join lateral (values
      (1, case when g.aggfnoid is null then rtrim(pg_get_functiondef(case when p.prokind <> 'a' then p.oid end), E'\\n') || ';' else ${AGGREGATE} end),
      (2, ${commentOn(`${KIND} || ' ' || quote_ident(n.nspname) || '.' || quote_ident(p.proname) || '(' || case when p.prokind = 'a' and p.pronargs = 0 then '*' else pg_get_function_identity_arguments(p.oid) end || ')'`, `obj_description(p.oid, 'pg_proc')`)})
    ) s (place, statement)
  where p.oid = any ($1::oid[]) and statement is not null
  order by array_position($1::oid[], p.oid), place`;

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

/**
 * Query of the statements that create enums, domains, composite types and ranges. For a base type, which needs functions in C,
 * the query returns an SQL comment. It does so for a multirange, too, because a multirange is created together with its range.
 */
const TYPE_DDL: string = `
  with statements (place, name, statement) as (
    select 1, '', case t.typtype when 'e' then ${ENUM} when 'd' then ${DOMAIN} when 'c' then ${COMPOSITE} when 'r' then ${RANGE}
      when 'm' then '-- ' || ${NAME} || ' is created together with its range'
      else '-- ' || ${NAME} || ' is a base type, implemented by functions in C' end
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

/**
 * Returns the SQL that creates an object, like `pg_dump --schema-only --no-owner --no-privileges`. For a function, the SQL
 * creates all functions in `overloads`. All names are qualified, so the SQL does not depend on the search path. A partition is
 * created like any other table and then attached.
 *
 * Clears the search path until the end of the transaction, so later statements of the transaction must qualify all names.
 */
export async function loadDdl(connection: Connection, { kind, overloads }: CatalogObject): Promise<string> {
  return (await loadStatements(connection, kind, overloads)).join('\n\n');
}

/**
 * Returns the statements that create the objects with the given OIDs, in execution order. Like `loadDdl`, clears the search path.
 * The list is empty for an unknown kind.
 */
export async function loadStatements(connection: Connection, kind: string, oids: readonly string[]): Promise<readonly string[]> {
  const query = DDL[kind];
  if (query === undefined || oids.length === 0) return [];
  await connection.rows(`select set_config('search_path', '', true)`, []);
  const statements = await connection.rows(query, [`{${oids.join(',')}}`]);
  return statements.map(([statement]) => statement ?? '');
}

/** Queries by kind of object. The first column contains the statements in execution order; `$1` contains the OIDs of the objects. */
const DDL: Readonly<Record<string, string>> = {
  schema: SCHEMA_DDL,
  table: TABLE_DDL,
  foreign_table: TABLE_DDL,
  view: VIEW_DDL,
  materialized_view: VIEW_DDL,
  index: INDEX_DDL,
  sequence: SEQUENCE_DDL,
  function: FUNCTION_DDL,
  type: TYPE_DDL,
};
