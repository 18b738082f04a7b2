import { ToolError, type RequestContext } from '@org/mcp-decorators';

import type { Database } from '../database/database.ts';
import { withSuggestions } from './suggestions.ts';

/**
 * A relation by its name, quoted so that it stands in a statement for nothing else.
 *
 * @throws ToolError UNDEFINED_OBJECT
 */
export async function requireTable(database: Database, name: string, context: RequestContext): Promise<string> {
  return withSuggestions(database, context, async () => {
    const [[found] = []] = await database.rows(QUOTED, [name], context);
    if (typeof found === 'string') return found;
    throw new ToolError('UNDEFINED_OBJECT', `relation "${name}" does not exist`);
  });
}

const QUOTED = `
  select format('%I.%I', n.nspname, c.relname)
  from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.oid = to_regclass($1)`;
