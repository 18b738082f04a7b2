import { ToolError } from '@org/mcp-decorators';

import type { StatementDescription } from '../../engine/reading.ts';
import type { Database } from '../database/database.ts';
import { getReadKind } from '../database/read-kind.ts';
import { ReadStatement } from '../database/protocol/read-statement.ts';
import { readValueTypes, UNKNOWN_TYPE } from './value-types.ts';

/**
 * Lets PostgreSQL parse a statement without running it, and returns its parameters and columns.
 *
 * @throws ToolError READ_ONLY for a statement that does not read, or returns no rows; the errors of `Policy.admit` and of
 * `Database.readOnly`
 */
export async function describeStatement(database: Database, sql: string, signal: AbortSignal): Promise<StatementDescription> {
  const admitted = await database.policy.admit({ sql, signal });
  const statement = new ReadStatement({ sql: admitted, params: [], limit: 0, kind: 'parsed', onRow: () => undefined });
  await database.readOnly({ signal, sql }, ({ connection }) => connection.finish(statement));
  const { parameters, fields } = statement;
  if (fields.length === 0 || getReadKind(admitted) === 'parsed')
    throw new ToolError('READ_ONLY', 'a saved query must be a statement that reads and returns rows');
  const types = await readValueTypes(database, [...parameters, ...fields.map(({ dataTypeID }) => dataTypeID)], signal);
  const columns = await database.columnTypes.createHeader(fields, sql).describe({ signal });
  return {
    parameters: parameters.map((oid) => types.get(oid) ?? UNKNOWN_TYPE),
    columns: columns.map((column, index) => ({ ...column, labels: types.get(fields[index]?.dataTypeID ?? 0)?.labels })),
  };
}
