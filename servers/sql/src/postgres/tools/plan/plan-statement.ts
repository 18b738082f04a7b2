import type { RequestContext } from '@org/mcp-decorators';

import { WholeValues } from '../../../rows/whole-values.ts';
import { withSuggestions } from '../../../tools/suggestions.ts';
import type { Database } from '../../database/database.ts';
import { read } from '../../database/read.ts';
import type { PlannedStatement } from '../../indexes/advise-statements.ts';
import { listSteps, parsePlan, readText } from './plan-node.ts';

/**
 * Plans a statement without running it.
 *
 * @throws ToolError errors of `explain`
 */
export async function planStatement(
  database: Database,
  { sql, params, generic = false }: Pick<PlannedStatement, 'sql' | 'params'> & { readonly generic?: boolean },
  { timeoutMs, context }: { readonly timeoutMs: number; readonly context: RequestContext },
): Promise<PlannedStatement> {
  const page = new WholeValues();
  const statement = { sql, before: 'EXPLAIN (FORMAT JSON, VERBOSE) ', params, timeoutMs, maxRows: 1, page, generic };
  await withSuggestions(database, context, () => read(database, statement, context));
  const { root } = parsePlan(page.first ?? '');
  const relations = listSteps(root).flatMap(({ relation: name, fields }) =>
    name === undefined ? [] : [{ name, schema: readText(fields, 'Schema') ?? '' }],
  );
  return { sql, params, generic, root, relations };
}
