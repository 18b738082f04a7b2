import { ToolError } from '@org/mcp-decorators';

import { parseSql } from '../policy/parse/parser.ts';
import type { SendableSql } from '../policy/parse/sendable-sql.ts';
import { toNodes, type Statement } from '../policy/parse/syntax-tree.ts';
import type { Connection } from './connect/connection.ts';
import { ReadStatement } from './protocol/read-statement.ts';

/** A statement to be checked against the cost limit before it runs. */
export interface CostedStatement {
  readonly sql: SendableSql;
  readonly params: readonly (string | null)[];
  /** SQL of this package that precedes the statement in the same text, such as `EXPLAIN`. */
  readonly before?: string;
  /** Maximum number of rows to read. Default: all rows. */
  readonly limit?: number;
}

/**
 * Rejects a statement whose estimated planner cost exceeds the limit of the operator. Runs before the statement, in the same
 * transaction.
 *
 * @throws ToolError POLICY_DENIED if the cost exceeds the limit, or is unknown because the caller's statement is EXPLAIN ANALYZE
 */
export async function requireAffordable(
  connection: Connection,
  costed: CostedStatement | undefined,
  maxCost: number,
): Promise<void> {
  if (costed === undefined) return;
  const { sql, before = '' } = costed;
  const [statement] = await parseSql(before + sql.text);
  if (statement === undefined || !isExecuted(statement)) return;
  if (statement.kind === 'ExplainStmt' && before === '')
    throw tooExpensive('the cost of a statement that EXPLAIN ANALYZE runs is unknown', {
      name: 'EXPLAIN',
      hint: 'use the tool explain with analyze',
    });
  const cost = await estimateCost(connection, costed);
  if (cost <= maxCost) return;
  throw tooExpensive(`the planner expects the statement to cost ${cost}, more than ${maxCost}`, {
    name: String(cost),
    hint: 'narrow the statement, inspect its plan with explain, or request fewer rows',
  });
}

/**
 * Returns false for statements without cost: SHOW, and EXPLAIN without the option ANALYZE, which only plans. EXPLAIN with ANALYZE
 * counts as executed, whatever the value of the option.
 */
function isExecuted({ kind, fields: { options } }: Statement): boolean {
  if (kind === 'ExplainStmt') return toNodes(options).some(({ fields: { defname } }) => defname === 'analyze');
  return kind !== 'VariableShowStmt';
}

async function estimateCost(connection: Connection, { params, limit, sql }: CostedStatement): Promise<number> {
  let plan = '';
  const explained =
    limit === undefined
      ? { before: EXPLAIN, sql }
      : { before: `${EXPLAIN}SELECT * FROM (\n`, sql: sql.between('', `) q LIMIT ${limit}`) };
  const onRow = ([text]: readonly (string | null)[]): void => void (plan = text ?? '');
  await connection.read(new ReadStatement({ ...explained, params, limit: 0, kind: 'direct', onRow }));
  // The first `Total Cost` in the plan is the cost of the outermost plan node, and thus of the whole statement.
  return Number(/"Total Cost": ([\d.]+)/.exec(plan)?.[1] ?? Infinity);
}

const EXPLAIN = 'EXPLAIN (FORMAT JSON) ';

function tooExpensive(message: string, { name, hint }: { readonly name: string; readonly hint: string }): ToolError {
  return new ToolError('POLICY_DENIED', message, { hint, data: { rule: 'cost', name, option: '--max-cost' } });
}
