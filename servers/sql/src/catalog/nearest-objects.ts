import type { RequestContext } from '@org/mcp-decorators';
import leven from 'leven';

import type { Database } from '../database/database.ts';

const SUGGESTIONS = 3;

/** The names of tables and columns that are most like a name, qualified where the search path does not lead to them. */
export async function nearestObjects(database: Database, name: string, context: RequestContext): Promise<readonly string[]> {
  const [, schema, object = name] = /^([^.]+)\.(.+)$/.exec(name) ?? [];
  const rows = await database.rows(NAMES, [], context);
  const wanted = object.toLowerCase();
  return rows
    .map(([shown, bare]) => ({ shown: shown ?? '', distance: leven((bare ?? '').toLowerCase(), wanted) }))
    .filter(({ shown, distance }) => distance <= Math.ceil(object.length / 3) || (schema !== undefined && shown === object))
    .sort((first, second) => first.distance - second.distance)
    .slice(0, SUGGESTIONS)
    .map(({ shown }) => shown);
}

const NAMES = `
  select c.oid::regclass::text, c.relname::text from pg_class c
  where c.relkind in ('r', 'p', 'v', 'm', 'f') and c.relnamespace <> 'pg_toast'::regnamespace
    and has_table_privilege(c.oid, 'select')
  union
  select distinct a.attname::text, a.attname::text from pg_attribute a join pg_class c on c.oid = a.attrelid
  where a.attnum > 0 and not a.attisdropped and c.relkind in ('r', 'p', 'v', 'm', 'f')
    and c.relnamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
    and has_column_privilege(c.oid, a.attnum, 'select')
  limit 20000`;
