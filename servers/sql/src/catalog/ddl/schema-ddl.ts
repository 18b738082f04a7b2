import { commentOn } from './sql-words.ts';

export const SCHEMA_DDL: string = `
  select statement
  from pg_namespace n cross join lateral (values
    (1, 'CREATE SCHEMA ' || quote_ident(n.nspname) || ';'),
    (2, ${commentOn(`'SCHEMA ' || quote_ident(n.nspname)`, `obj_description(n.oid, 'pg_namespace')`)})
  ) s (place, statement)
  where n.oid = any ($1::oid[]) and statement is not null
  order by place`;
