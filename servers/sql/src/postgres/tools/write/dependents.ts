import { ToolError } from '@org/mcp-decorators';

import type { Connection } from '../../database/connect/connection.ts';
import type { Statement } from '../../policy/parse/syntax-tree.ts';
import { findDroppedRelations, findDroppedSchemas } from './effects/targets.ts';

/** Maximum number of dependent objects that are listed. */
const MAX_DEPENDENTS = 50;

/**
 * Returns the objects that a DROP removes together with the relations or schemas that it names, such as `view shop.revenue`.
 * After 50 objects, the list ends with `and more`. Parts without data of their own, such as the indexes of a dropped table, are
 * omitted. The list is empty for other statements.
 *
 * @throws ToolError CONSTRAINT if other objects depend on the named relations or schemas, and the DROP has no CASCADE
 */
export async function findDependents(connection: Connection, { kind, fields }: Statement): Promise<readonly string[]> {
  if (kind !== 'DropStmt') return [];
  const [relations, schemas] = [findDroppedRelations(fields), findDroppedSchemas(fields)];
  if (relations.length + schemas.length === 0) return [];
  const rows = await connection.rows(DEPENDENTS, [JSON.stringify(relations), JSON.stringify(schemas)]);
  const blocking = rows.filter(([, blocks]) => blocks === 't').map(([name]) => name ?? '');
  if (blocking.length > 0 && fields['behavior'] !== 'DROP_CASCADE') throw dependentsError(blocking);
  return limitNames(rows.map(([name]) => name ?? ''));
}

function dependentsError(names: readonly string[]): ToolError {
  return new ToolError('CONSTRAINT', `other objects depend on what is dropped: ${limitNames(names).join(', ')}`, {
    hint: 'drop or change these objects first; with CASCADE, they are dropped too',
    data: { dependents: limitNames(names) },
  });
}

function limitNames(names: readonly string[]): readonly string[] {
  return names.length <= MAX_DEPENDENTS ? names : [...names.slice(0, MAX_DEPENDENTS), 'and more'];
}

/**
 * Finds the objects that depend on the relations in `$1` and the schemas in `$2`, directly or through other objects. An object
 * blocks a DROP without CASCADE unless it is a part of a dropped object, such as a partition, an index or a default.
 */
const DEPENDENTS = `
  with recursive gone (class, id, is_part) as (
    select 'pg_class'::regclass::oid, to_regclass(name)::oid, true from json_array_elements_text($1::json) t (name)
    where to_regclass(name) is not null
    union
    select 'pg_namespace'::regclass::oid, n.oid, true
    from json_array_elements_text($2::json) t (name) join pg_namespace n on n.nspname = name
    union
    select case when r.oid is null then d.classid else 'pg_class'::regclass::oid end, coalesce(r.ev_class, d.objid),
      g.is_part and d.deptype <> 'n'
    from gone g join pg_depend d on d.refclassid = g.class and d.refobjid = g.id and d.deptype in ('n', 'a', 'i', 'P', 'S')
      left join pg_rewrite r on d.classid = 'pg_rewrite'::regclass and r.oid = d.objid
  ), found as (
    select class, id, bool_or(is_part) as is_part from gone group by class, id
  )
  select i.type || ' ' || i.identity, not f.is_part
  from found f cross join lateral pg_identify_object(f.class, f.id, 0) i
  where not (f.class = 'pg_class'::regclass and f.id in (select to_regclass(name) from json_array_elements_text($1::json) t (name)))
    and f.class <> 'pg_namespace'::regclass
    -- Parts of dropped objects are listed only if they have data of their own. Types and rules belong to relations.
    and (i.type in ('table', 'foreign table', 'materialized view')
      or not f.is_part and i.type not in ('type', 'composite type', 'rule', 'trigger', 'index', 'toast table', 'default value'))
  order by f.is_part, i.type, i.identity
  limit ${MAX_DEPENDENTS + 1}`;
