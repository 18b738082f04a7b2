import type { Connection } from '../../database/connection.ts';
import type { CatalogObject } from '../find-object.ts';
import { FUNCTION_DDL } from './function-ddl.ts';
import { SEQUENCE_DDL } from './sequence-ddl.ts';
import { INDEX_DDL, TABLE_DDL, VIEW_DDL } from './relation-ddl.ts';
import { SCHEMA_DDL } from './schema-ddl.ts';
import { TYPE_DDL } from './type-ddl.ts';

/**
 * The SQL that makes an object, as `pg_dump --schema-only --no-owner --no-privileges` writes it: all names are qualified, so
 * that it does the same whatever the search path. A partition is made like any table and then attached.
 *
 * To be run in a transaction of its own, which has no search path afterwards.
 */
export async function ddlOf(connection: Connection, { kind, overloads }: CatalogObject): Promise<string> {
  const query = DDL[kind];
  if (query === undefined) return '';
  await connection.rows(`select set_config('search_path', '', true)`, []);
  const statements = await connection.rows(query, [`{${overloads.join(',')}}`]);
  return statements.map(([statement]) => statement ?? '').join('\n\n');
}

/** Queries whose first column has the statements, in the order in which they are run; `$1` has the oids. */
const DDL: Readonly<Record<string, string>> = {
  schema: SCHEMA_DDL,
  table: TABLE_DDL,
  foreign_table: TABLE_DDL,
  view: VIEW_DDL,
  materialized_view: VIEW_DDL,
  index: INDEX_DDL,
  sequence: SEQUENCE_DDL,
  function: FUNCTION_DDL,
  type: TYPE_DDL,
};
