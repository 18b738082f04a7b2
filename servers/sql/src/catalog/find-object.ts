import { ToolError } from '@org/mcp-decorators';

import type { Connection } from '../database/connection.ts';
import type { Row } from '../rows/format.ts';
import type { ObjectName } from './object-name.ts';

/** What a name stands for. */
export interface CatalogObject {
  readonly oid: string;
  /** One of `OBJECT_KINDS`. */
  readonly kind: string;
  /** Of a schema: its own name. */
  readonly schema: string;
  readonly name: string;
  readonly comment: string | undefined;
  /** Functions of this name, this one first; of anything else it alone. */
  readonly overloads: readonly string[];
}

/**
 * Finds an object by its name as it is, else in lower case, as SQL would: tables and what is like them before types (a range has
 * functions of its name), functions and schemas. Without a schema the search path is looked through.
 *
 * @throws ToolError UNDEFINED_OBJECT
 */
export async function findObject(connection: Connection, wanted: ObjectName): Promise<CatalogObject> {
  const { schema, name, signature, of } = wanted;
  const rows = await connection.rows(OBJECTS, [name, schema ?? null, signature ?? null, of ?? null]);
  const [found] = rows;
  if (found === undefined) throw notFound(wanted);
  const object = objectOf(found);
  if (object.kind !== 'function') return object;
  const named = rows
    .map(objectOf)
    .filter(({ kind, schema, name }) => kind === 'function' && schema === object.schema && name === object.name);
  return { ...object, overloads: named.map(({ oid }) => oid) };
}

function objectOf(row: Row): CatalogObject {
  const [oid = '', kind = '', schema = '', name = '', comment] = row.map((value) => value ?? undefined);
  return { oid, kind, schema, name, comment, overloads: [oid] };
}

function notFound({ schema, name, signature }: ObjectName): ToolError {
  const object = signature ?? (schema === undefined ? name : `${schema}.${name}`);
  return new ToolError('UNDEFINED_OBJECT', `there is no object "${object}"`, { data: { object } });
}

/** What the letters of `pg_class.relkind` stand for. */
export const RELATION_KIND: string = `
  case c.relkind when 'v' then 'view' when 'm' then 'materialized_view' when 'f' then 'foreign_table'
    when 'S' then 'sequence' when 'i' then 'index' when 'I' then 'index' else 'table' end`;

/** Types that have a name of their own: not those of tables, nor arrays. */
export const NAMED_TYPE: string = `
  (t.typtype in ('d', 'e', 'r', 'm') or t.typtype = 'c' and exists (select from pg_class r where r.oid = t.typrelid and r.relkind = 'c')
    or t.typtype = 'b' and t.typcategory <> 'A')`;

/** A function that comes with a type, as a range has some, and is not made by itself. */
export const OF_A_TYPE: string = `exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'i')`;

const OBJECTS = `
  select o.oid, o.kind, o.nspname, o.name, o.comment
  from (
    select 1 as place, c.oid, ${RELATION_KIND} as kind, n.nspname, c.relname as name, pg_table_is_visible(c.oid) as visible,
      obj_description(c.oid, 'pg_class') as comment
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relname in ($1::text, lower($1::text)) and c.relkind in ('r', 'p', 'v', 'm', 'f', 'S', 'i', 'I')
    union all
    select 3, p.oid, 'function', n.nspname, p.proname, pg_function_is_visible(p.oid), obj_description(p.oid, 'pg_proc')
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where p.proname in ($1::text, lower($1::text)) and case when $3::text is not null then p.oid = to_regprocedure($3::text) else true end
    union all
    select 2, t.oid, 'type', n.nspname, t.typname, pg_type_is_visible(t.oid), obj_description(t.oid, 'pg_type')
    from pg_type t join pg_namespace n on n.oid = t.typnamespace
    where t.typname in ($1::text, lower($1::text)) and ${NAMED_TYPE}
    union all
    select 4, n.oid, 'schema', n.nspname, n.nspname, $2::text is null, obj_description(n.oid, 'pg_namespace')
    from pg_namespace n where n.nspname in ($1::text, lower($1::text))
  ) o
  where case when $2::text is null then o.visible else o.nspname in ($2::text, lower($2::text)) and o.place < 4 end
    and ($3::text is null or o.place = 3)
    and case $4::text when 'relation' then o.place = 1 when 'schema' then o.place = 4 else true end
  order by o.name = $1::text desc, o.nspname is not distinct from $2::text desc, o.place, o.oid`;
