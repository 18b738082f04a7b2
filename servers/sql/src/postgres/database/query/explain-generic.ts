import { randomUUID } from 'node:crypto';

import { SendableSql } from '../../policy/parse/sendable-sql.ts';
import type { Connection } from '../connect/connection.ts';
import { ReadStatement, type ReadRequest } from '../protocol/read-statement.ts';

/**
 * Explains the generic plan of a statement, which does not depend on the values of the parameters. (The option GENERIC_PLAN of
 * EXPLAIN does not work with the extended protocol, because every parameter has a value.)
 *
 * The function prepares the statement without running the statement. The session discards the prepared statement when the call
 * ends.
 *
 * @param send runs the statement that returns the plan
 */
export async function explainGeneric(
  connection: Connection,
  { sql, before, onRow }: Pick<ReadRequest, 'sql' | 'before' | 'onRow'>,
  send: (statement: ReadStatement) => Promise<void>,
): Promise<ReadStatement> {
  const name = `"${randomUUID()}"`;
  const prepared = { sql, before: `PREPARE ${name} AS `, params: [], limit: 0, kind: 'direct', onRow } as const;
  await connection.read(new ReadStatement(prepared));
  const [[parameters] = []] = await connection.rows(PARAMETERS, [name.slice(1, -1)]);
  const values = Array.from({ length: Number(parameters) }, () => 'NULL').join(', ');
  const execute = `EXECUTE ${name}${values === '' ? '' : `(${values})`}`;
  const statement = new ReadStatement({ ...prepared, before: before ?? '', sql: SendableSql.own(execute) });
  await send(statement);
  return statement;
}

const PARAMETERS = `
  select cardinality(parameter_types), set_config('plan_cache_mode', 'force_generic_plan', true)
  from pg_prepared_statements where name = $1`;
