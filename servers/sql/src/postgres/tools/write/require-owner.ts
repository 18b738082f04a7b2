import { ToolError } from '@org/mcp-decorators';

import type { Connection } from '../../database/connect/connection.ts';
import type { Statement } from '../../policy/parse/syntax-tree.ts';
import { findOwnedTargets, type FurtherRight } from './effects/owned-targets.ts';

/**
 * Checks that the role of the connection may change the relations of a statement, as far as PostgreSQL requires their owner. The
 * dry run cannot detect a missing right, because it does not run such a statement. VACUUM and ANALYZE only warn about a table
 * that they skip.
 *
 * @throws ToolError PERMISSION if the role may not change one of the relations
 */
export async function requireOwner(connection: Connection, statement: Statement): Promise<void> {
  const { names, further } = findOwnedTargets(statement);
  if (names.length === 0) return;
  const refused = (await connection.rows(NOT_OWNED, [JSON.stringify(names), further])).map(([name]) => name ?? '');
  if (refused.length === 0) return;
  throw new ToolError('PERMISSION', `the role does not own ${refused.join(', ')}${ALTERNATIVES[further]}`, {
    hint: 'the owner of the table can run the statement, or the operator can connect with a role that may',
    data: { objects: refused },
  });
}

const ALTERNATIVES: Readonly<Record<FurtherRight, string>> = {
  none: '',
  'schema owner': ', and does not own the schemas of these objects',
  maintenance: ', and lacks the privilege MAINTAIN',
};

/**
 * Finds the relations of a JSON array of names that the role may not change. `$2` is a `FurtherRight`. MAINTAIN exists since
 * PostgreSQL 17.
 */
const NOT_OWNED = `
  select c.oid::regclass
  from json_array_elements_text($1::json) name join pg_class c on c.oid = to_regclass(name)
    join pg_namespace n on n.oid = c.relnamespace
  where not pg_has_role(c.relowner, 'USAGE') and not case $2::text
    when 'schema owner' then pg_has_role(n.nspowner, 'USAGE')
    when 'maintenance' then (not c.relisshared and exists (
        select from pg_database d where d.datname = current_database() and pg_has_role(d.datdba, 'USAGE')))
      or case when current_setting('server_version_num')::int >= 170000 then has_table_privilege(c.oid, 'MAINTAIN') else false end
    else false end
  order by 1`;
