import { ToolError } from '@org/mcp-decorators';

import { parseSql } from '../policy/parser.ts';
import type { SendableSql } from '../policy/sendable-sql.ts';
import { nodesIn, type Statement } from '../policy/syntax-tree.ts';
import type { Connection } from './connection.ts';
import { ReadStatement } from './read-statement.ts';

/** A statement that is about to be run. */
export interface CostedStatement {
  readonly sql: SendableSql;
  readonly params: readonly (string | null)[];
  /** Words of ours before it. */
  readonly before?: string;
  /** Rows that are wanted of it; default: all. */
  readonly limit?: number;
}

/**
 * Refuses a statement that the planner expects to cost more than the operator allows, before it is run; in its transaction.
 *
 * @throws ToolError POLICY_DENIED
 */
export async function requireAffordable(
  connection: Connection,
  costed: CostedStatement | undefined,
  maxCost: number,
): Promise<void> {
  if (costed === undefined) return;
  const { sql, before = '' } = costed;
  const [statement] = await parseSql(before + sql.text);
  if (statement === undefined || !isRun(statement)) return;
  if (statement.kind === 'ExplainStmt' && before === '')
    throw tooExpensive('what EXPLAIN runs by ANALYZE is not known to cost less', {
      name: 'EXPLAIN',
      hint: 'use the tool explain with analyze',
    });
  const cost = await costOf(connection, costed);
  if (cost <= maxCost) return;
  throw tooExpensive(`the planner expects the statement to cost ${cost}, more than ${maxCost}`, {
    name: String(cost),
    hint: 'narrow it, look at its plan with explain, or ask for fewer rows',
  });
}

/** EXPLAIN plans unless it is told to ANALYZE, whatever value it is told; SHOW costs nothing. */
function isRun({ kind, fields: { options } }: Statement): boolean {
  if (kind === 'ExplainStmt') return nodesIn(options).some(({ fields: { defname } }) => defname === 'analyze');
  return kind !== 'VariableShowStmt';
}

async function costOf(connection: Connection, { params, limit, sql }: CostedStatement): Promise<number> {
  let plan = '';
  const explained =
    limit === undefined
      ? { before: EXPLAIN, sql }
      : { before: `${EXPLAIN}SELECT * FROM (\n`, sql: sql.between('', `) q LIMIT ${limit}`) };
  const onRow = ([text]: readonly (string | null)[]): void => void (plan = text ?? '');
  await connection.read(new ReadStatement({ ...explained, params, limit: 0, kind: 'direct', onRow }));
  // The first one is that of the whole.
  return Number(/"Total Cost": ([\d.]+)/.exec(plan)?.[1] ?? Infinity);
}

const EXPLAIN = 'EXPLAIN (FORMAT JSON) ';

function tooExpensive(message: string, { name, hint }: { readonly name: string; readonly hint: string }): ToolError {
  return new ToolError('POLICY_DENIED', message, { hint, data: { rule: 'cost', name, option: '--max-cost' } });
}
