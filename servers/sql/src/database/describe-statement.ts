import { ToolError } from '@org/mcp-decorators';
import type { FieldDef } from 'pg';

import type { Database } from './database.ts';
import { readKind } from './read-kind.ts';
import { ReadStatement } from './read-statement.ts';

/** What PostgreSQL says of a statement that it parsed and did not run. */
export interface StatementDescription {
  /** Object identifiers of the types of `$1`, `$2` and so on. */
  readonly parameters: readonly number[];
  readonly fields: readonly FieldDef[];
}

/**
 * Has a statement parsed.
 *
 * @throws ToolError READ_ONLY for one that does not return rows, those of `Policy.admit` and of `Database.readOnly`
 */
export async function describeStatement(database: Database, sql: string, signal: AbortSignal): Promise<StatementDescription> {
  const admitted = await database.policy.admit(database, { sql, signal });
  const statement = new ReadStatement({ sql: admitted, params: [], limit: 0, kind: 'parsed', onRow: () => undefined });
  await database.readOnly({ signal, sql }, ({ connection }) => connection.finish(statement));
  const { parameters, fields } = statement;
  if (fields.length === 0 || readKind(admitted) === 'parsed')
    throw new ToolError('READ_ONLY', 'the statement is not one that reads and returns rows');
  return { parameters, fields };
}
