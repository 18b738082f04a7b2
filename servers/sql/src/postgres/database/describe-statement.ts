import { ToolError } from '@org/mcp-decorators';

import type { Database } from './database.ts';
import { getReadKind } from './read-kind.ts';
import type { ResultField } from './protocol/driver.ts';
import { ReadStatement } from './protocol/read-statement.ts';

/** The description of a statement that PostgreSQL parsed but did not run. */
export interface StatementDescription {
  /** Object identifiers of the types of `$1`, `$2` and so on. */
  readonly parameters: readonly number[];
  readonly fields: readonly ResultField[];
}

/**
 * Lets PostgreSQL parse a statement, without running the statement.
 *
 * @throws ToolError READ_ONLY for a statement that does not return rows; the errors of `Policy.admit` and of `Database.readOnly`
 */
export async function describeStatement(database: Database, sql: string, signal: AbortSignal): Promise<StatementDescription> {
  const admitted = await database.policy.admit({ sql, signal });
  const statement = new ReadStatement({ sql: admitted, params: [], limit: 0, kind: 'parsed', onRow: () => undefined });
  await database.readOnly({ signal, sql }, ({ connection }) => connection.finish(statement));
  const { parameters, fields } = statement;
  if (fields.length === 0 || getReadKind(admitted) === 'parsed')
    throw new ToolError('READ_ONLY', 'a saved query must be a statement that reads and returns rows');
  return { parameters, fields };
}
