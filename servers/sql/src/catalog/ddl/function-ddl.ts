import { commentOn } from './sql-words.ts';

/** What an aggregate is made of, of the row `g` of `pg_aggregate`. */
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

/** All functions, procedures and aggregates of one name. */
export const FUNCTION_DDL: string = `
  select statement
  from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    left join pg_aggregate g on g.aggfnoid = p.oid
    cross join lateral (values
      (1, case when g.aggfnoid is null then rtrim(pg_get_functiondef(case when p.prokind <> 'a' then p.oid end), E'\\n') || ';' else ${AGGREGATE} end),
      (2, ${commentOn(`${KIND} || ' ' || quote_ident(n.nspname) || '.' || quote_ident(p.proname) || '(' || case when p.prokind = 'a' and p.pronargs = 0 then '*' else pg_get_function_identity_arguments(p.oid) end || ')'`, `obj_description(p.oid, 'pg_proc')`)})
    ) s (place, statement)
  where p.oid = any ($1::oid[]) and statement is not null
  order by array_position($1::oid[], p.oid), place`;
