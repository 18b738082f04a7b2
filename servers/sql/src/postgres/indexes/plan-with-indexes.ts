import { ToolError } from '@org/mcp-decorators';

import type { Database } from '../database/database.ts';
import { requireParsable } from '../policy/parse/bounds.ts';
import { parseSql } from '../policy/parse/parser.ts';
import type { AdviceOptions, PlannedStatement } from './advise-statements.ts';
import { ModelDatabase } from './model/model-database.ts';
import { readSchema } from './model/read-schema.ts';
import { nameIndexes, toError } from './planning/planner.ts';
import { readStatementUses } from './read-statement-uses.ts';

/**
 * Plans a statement as if indexes existed, in a model of the database, which runs no user-defined function. Returns the plans
 * without and with the indexes.
 *
 * @throws ToolError INVALID_ARGUMENTS for a text that is not one CREATE INDEX statement, and for an index that PostgreSQL rejects
 * or that is on a table which the statement does not read; UNSUPPORTED_ENGINE if the statement cannot be planned in a model of
 * the database
 */
export async function planWithIndexes(
  database: Database,
  { sql, params, generic, relations: planned }: PlannedStatement,
  indexes: readonly string[],
  { timeoutMs, context: { signal } }: AdviceOptions,
): Promise<{ readonly before: string; readonly after: string }> {
  for (const index of indexes) await requireCreateIndex(index);
  const { masks } = database.policy;
  const { maxCopiedTables: maxRelations } = database.limits;
  const { tables, schema } = await database.readOnly({ signal, timeoutMs }, async ({ connection }) => {
    const uses = await readStatementUses(connection, { sql, params, planned, masks });
    const oids = uses.tables.map(({ oid }) => oid);
    return { tables: uses.tables, schema: await readSchema(connection, oids, { masks, maxRelations }) };
  });
  const bounded = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  const failed = (error: unknown): never => {
    signal.throwIfAborted();
    throw new ToolError('UNSUPPORTED_ENGINE', `${NO_MODEL}: ${toError(error).message}`, { cause: error });
  };
  await using model = await ModelDatabase.create(schema, timeoutMs, bounded).catch(failed);
  if (model.problem !== undefined) failed(model.problem);
  const added = await model.addIndexes(indexes, tables, bounded).catch((error: unknown) => {
    signal.throwIfAborted();
    throw new ToolError('INVALID_ARGUMENTS', `an index cannot be created: ${toError(error).message}`, {
      hint: 'each index must be on a table that the statement reads, and may use only built-in functions',
    });
  });
  const statement = { sql, params, generic };
  const before = await model.explain(statement, [], bounded).catch(failed);
  const after = await model.explain(statement, added, bounded).catch(failed);
  return { before, after: nameIndexes(after, added, 'index') };
}

const NO_MODEL = 'the statement cannot be planned in a model of the database in which the indexes exist';

async function requireCreateIndex(text: string): Promise<void> {
  requireParsable(text);
  const statements = await parseSql(text).catch(() => []);
  if (statements.length !== 1 || statements[0]?.kind !== 'IndexStmt')
    throw new ToolError(
      'INVALID_ARGUMENTS',
      `indexes must contain CREATE INDEX statements, each one by itself: ${JSON.stringify(text)}`,
    );
}
