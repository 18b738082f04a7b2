import { ToolError } from '@org/mcp-decorators';

import type { Connection } from '../database/connect/connection.ts';
import type { Row } from '../../rows/format.ts';
import { quoteName, type ObjectName } from '../../catalog/object-name.ts';

/** An object of the catalog that a name refers to. */
export interface CatalogObject {
  readonly oid: string;
  /** Kind of the object, one of `OBJECT_KINDS`. */
  readonly kind: string;
  /** Schema of the object. For a schema, the name of the schema itself. */
  readonly schema: string;
  readonly name: string;
  readonly comment: string | undefined;
  /**
   * OIDs of all functions with this schema and name, this function first. If the caller gave argument types, only the OID of that
   * function. For other kinds, only the OID of the object.
   */
  readonly overloads: readonly string[];
}

/**
 * Finds an object by its exact name, or else by its name in lower case, like SQL. If objects of several kinds match, a relation
 * precedes a type, a type a function, and a function a schema. Types precede functions, because a range type has functions with
 * the same name. Without a schema, the function searches the search path.
 *
 * @throws ToolError UNDEFINED_OBJECT
 */
export async function findObject(connection: Connection, wanted: ObjectName): Promise<CatalogObject> {
  const { schema, name, signature, of } = wanted;
  const rows = await connection.rows(OBJECTS, [name, schema ?? null, signature ?? null, of ?? null]);
  const [found] = rows;
  if (found === undefined) throw notFound(wanted);
  const object = toObject(found);
  if (object.kind !== 'function') return object;
  const named = rows
    .map(toObject)
    .filter(({ kind, schema, name }) => kind === 'function' && schema === object.schema && name === object.name);
  return { ...object, overloads: named.map(({ oid }) => oid) };
}

function toObject(row: Row): CatalogObject {
  const [oid = '', kind = '', schema = '', name = '', comment] = row.map((value) => value ?? undefined);
  return { oid, kind, schema, name, comment, overloads: [oid] };
}

function notFound({ schema, name, signature }: ObjectName): ToolError {
  const parts = schema === undefined ? [name] : [schema, name];
  return new ToolError('UNDEFINED_OBJECT', `object "${signature ?? parts.join('.')}" does not exist`, {
    data: { object: signature ?? parts.map(quoteName).join('.') },
  });
}

/** SQL expression for the kind of a relation, from `pg_class.relkind`. */
export const RELATION_KIND: string = `
  case c.relkind when 'v' then 'view' when 'm' then 'materialized_view' when 'f' then 'foreign_table'
    when 'S' then 'sequence' when 'i' then 'index' when 'I' then 'index' else 'table' end`;

/** SQL condition for types `t` that are objects of their own. Excludes arrays and the row types of tables. */
export const NAMED_TYPE: string = `
  (t.typtype in ('d', 'e', 'r', 'm') or t.typtype = 'c' and exists (select from pg_class r where r.oid = t.typrelid and r.relkind = 'c')
    or t.typtype = 'b' and t.typcategory <> 'A')`;

/** SQL condition for a function `p` that PostgreSQL created together with a type, such as the constructor of a range type. */
export const BELONGS_TO_TYPE: string = `exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'i')`;

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
