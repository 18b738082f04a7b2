import type { SchemaPart } from '../../engine/sql-database.ts';
import type { ReadOnlyDatabase } from '../database/query/read-only-database.ts';

/**
 * Returns a text that changes when the catalog entries of a schema or relation change, or `undefined` if the schema or relation
 * does not exist. Statistics that VACUUM and ANALYZE update in place do not change the text.
 */
export async function computeSchemaFingerprint(
  database: ReadOnlyDatabase,
  { schema, relation }: SchemaPart,
  signal: AbortSignal,
): Promise<string | undefined> {
  const rows =
    relation === undefined
      ? await database.rows(OF_SCHEMA, [schema], { signal })
      : await database.rows(OF_RELATION, [schema, relation], { signal });
  return rows[0]?.[0] ?? undefined;
}

const OF_RELATION = `
  with wanted as (
    select c.oid from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = $1 and c.relname = $2
  ), parts(part) as (
    select 'relation ' || oid || ' ' || xmin from pg_class where oid in (table wanted)
    union all select 'column ' || attnum || ' ' || xmin from pg_attribute where attrelid in (table wanted)
    union all select 'default ' || oid || ' ' || xmin from pg_attrdef where adrelid in (table wanted)
    union all select 'constraint ' || oid || ' ' || xmin from pg_constraint where conrelid in (table wanted) or confrelid in (table wanted)
    union all select 'index ' || indexrelid || ' ' || xmin from pg_index where indrelid in (table wanted)
    union all select 'trigger ' || oid || ' ' || xmin from pg_trigger where tgrelid in (table wanted)
    union all select 'policy ' || oid || ' ' || xmin from pg_policy where polrelid in (table wanted)
    union all select 'rule ' || oid || ' ' || xmin from pg_rewrite where ev_class in (table wanted)
    union all select 'child ' || inhrelid || ' ' || xmin from pg_inherits where inhrelid in (table wanted) or inhparent in (table wanted)
    union all select 'comment ' || objsubid || ' ' || xmin from pg_description
      where classoid = 'pg_class'::regclass and objoid in (table wanted)
  )
  select md5(string_agg(part, ',' order by part)) from parts where exists (table wanted)`;

const OF_SCHEMA = `
  with wanted as (select oid from pg_namespace where nspname = $1), parts(part) as (
    select 'schema ' || oid || ' ' || xmin from pg_namespace where oid in (table wanted)
    union all select 'relation ' || oid || ' ' || xmin from pg_class where relnamespace in (table wanted)
    union all select 'function ' || oid || ' ' || xmin from pg_proc where pronamespace in (table wanted)
    union all select 'type ' || oid || ' ' || xmin from pg_type where typnamespace in (table wanted)
  )
  select md5(string_agg(part, ',' order by part)) from parts where exists (table wanted)`;
