import { randomUUID } from 'node:crypto';

import { SendableSql } from '../policy/sendable-sql.ts';
import type { Connection } from './connection.ts';
import { ReadStatement, type ReadRequest } from './read-statement.ts';

/**
 * Explains the plan that a statement has whatever its parameters are. (The option GENERIC_PLAN of EXPLAIN does not do on the
 * extended protocol, where every parameter has a value.)
 *
 * The statement is prepared, which runs nothing; the session forgets it with everything else.
 */
export async function explainGeneric(
  connection: Connection,
  { sql, before, onRow }: Pick<ReadRequest, 'sql' | 'before' | 'onRow'>,
): Promise<ReadStatement> {
  const name = `"${randomUUID()}"`;
  const prepared = { sql, before: `PREPARE ${name} AS `, params: [], limit: 0, kind: 'direct', onRow } as const;
  await connection.read(new ReadStatement(prepared));
  const [[parameters] = []] = await connection.rows(PARAMETERS, [name.slice(1, -1)]);
  const values = Array.from({ length: Number(parameters) }, () => 'NULL').join(', ');
  const execute = `EXECUTE ${name}${values === '' ? '' : `(${values})`}`;
  const statement = new ReadStatement({ ...prepared, before: before ?? '', sql: SendableSql.own(execute) });
  await connection.finish(statement);
  return statement;
}

const PARAMETERS = `
  select cardinality(parameter_types), set_config('plan_cache_mode', 'force_generic_plan', true)
  from pg_prepared_statements where name = $1`;
