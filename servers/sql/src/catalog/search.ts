import type { RequestContext } from '@org/mcp-decorators';

import type { Database } from '../database/database.ts';
import { RELATION_KIND } from './relation.ts';

export const OBJECT_KINDS = [
  'schema',
  'table',
  'view',
  'materialized_view',
  'foreign_table',
  'sequence',
  'index',
  'column',
  'function',
  'type',
] as const;

export type ObjectKind = (typeof OBJECT_KINDS)[number];

/** What is looked for. */
export interface Search {
  /** Part of a name, or a glob of all of it. */
  readonly pattern: string;
  readonly kinds: readonly string[];
  /** Default: every schema but those of PostgreSQL itself. */
  readonly schema: string | undefined;
  readonly limit: number;
}

export interface FoundObject {
  readonly schema: string;
  readonly name: string;
  readonly kind: string;
  /** Of a column, an index or a function: what it belongs to, or its arguments. */
  readonly detail: string | undefined;
  readonly comment: string | undefined;
}

/** Objects by name, the best match first; one query whatever the size of the catalog. */
export async function searchCatalog(
  database: Database,
  search: Search,
  context: RequestContext,
): Promise<readonly FoundObject[]> {
  const { pattern, kinds, schema, limit } = search;
  const params = [likePattern(pattern), pattern, `{${kinds.join(',')}}`, schema ?? null, String(limit)];
  return (await database.rows(OBJECTS, params, context)).map(([nspname, name, kind, detail, comment]) => ({
    schema: nspname ?? '',
    name: name ?? '',
    kind: kind ?? '',
    detail: detail ?? undefined,
    comment: comment ?? undefined,
  }));
}

function likePattern(pattern: string): string {
  const escaped = pattern.replaceAll(/[\\%_]/g, String.raw`\$&`);
  return /[*?]/.test(pattern) ? escaped.replaceAll('*', '%').replaceAll('?', '_') : `%${escaped}%`;
}

const OBJECTS = `
  with objects (nspname, name, kind, detail, comment) as (
    select n.nspname, n.nspname, 'schema', null, obj_description(n.oid, 'pg_namespace') from pg_namespace n
    union all
    select n.nspname, c.relname,
      case c.relkind when 'S' then 'sequence' when 'i' then 'index' when 'I' then 'index' else ${RELATION_KIND} end,
      case when c.relkind in ('i', 'I') then (select 'on ' || i.indrelid::regclass from pg_index i where i.indexrelid = c.oid) end,
      obj_description(c.oid, 'pg_class')
    from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.relkind in ('r', 'p', 'v', 'm', 'f', 'S', 'i', 'I')
    union all
    select n.nspname, a.attname, 'column', 'of ' || c.oid::regclass || ', ' || format_type(a.atttypid, a.atttypmod),
      col_description(c.oid, a.attnum)
    from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
    where a.attnum > 0 and not a.attisdropped and c.relkind in ('r', 'p', 'v', 'm', 'f')
    union all
    select n.nspname, p.proname, 'function', '(' || pg_get_function_identity_arguments(p.oid) || ')', obj_description(p.oid, 'pg_proc')
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    union all
    select n.nspname, t.typname, 'type', null, obj_description(t.oid, 'pg_type')
    from pg_type t join pg_namespace n on n.oid = t.typnamespace where t.typtype in ('d', 'e', 'r')
  )
  select nspname, name, kind, detail, comment from objects
  where name ilike $1 and kind = any ($3::text[])
    and case when $4::text is null
      then nspname not in ('pg_catalog', 'information_schema') and nspname not like 'pg\\_toast%' and nspname not like 'pg\\_temp%'
      else nspname = $4 end
  order by lower(name) = lower($2) desc, array_position(array['${OBJECT_KINDS.join("','")}'], kind), length(name), name, nspname
  limit $5::int`;
