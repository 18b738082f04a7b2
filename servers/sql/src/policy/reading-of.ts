import { ToolError } from '@org/mcp-decorators';

import { calledIn, rowsIn, rowUseOf, type CalledName, type RowUse } from './called-names.ts';
import { expandersIn, requireModestLiterals } from './literal-expansion.ts';
import { LiteralSizes } from './literal-sizes.ts';
import { hasProducts, requireModestNumbers } from './numeric-cost.ts';
import { requireModestPlan } from './planned-size.ts';
import { requireReading } from './reading.ts';
import { nodesOf, type Statement, type SyntaxNode } from './syntax-tree.ts';

/** What there is to know of a text that is one statement that reads, whatever the database. */
export interface Reading {
  readonly calls: readonly CalledName[];
  /** Relations and functions beside whose rows PostgreSQL may convert values. */
  readonly rows: readonly CalledName[];
  /** The statement's own part in these conversions, apart from its parameters. */
  readonly rowUse: RowUse;
  readonly expanders: readonly SyntaxNode[];
  /** Those whose size depends on the values of parameters. */
  readonly growing: readonly Statement[];
}

/**
 * Finds out what there is to know of what was parsed.
 *
 * @throws ToolError POLICY_DENIED or READ_ONLY
 */
export function readingOf(statements: readonly Statement[]): Reading {
  // None at all is told by the database.
  if (statements.length > 1)
    throw new ToolError('POLICY_DENIED', `there are ${statements.length} statements`, {
      hint: 'each call takes one statement',
      data: { rule: 'one-statement', name: String(statements.length) },
    });
  const [statement] = statements;
  if (statement === undefined) return { calls: [], rows: [], rowUse: rowUseOf([]), expanders: [], growing: [] };
  const nodes = nodesOf(statement);
  requireReading(statement, nodes);
  const expanders = expandersIn(nodes);
  const literals = new LiteralSizes(statement, []);
  requireModestLiterals(expanders, literals);
  requireModestPlan(statement, literals);
  const multiplies = hasProducts(nodes);
  if (multiplies) requireModestNumbers(statement, literals, []);
  return {
    calls: calledIn(nodes),
    rows: rowsIn(nodes),
    rowUse: rowUseOf(nodes),
    expanders,
    growing: expanders.length > 0 || multiplies ? [statement] : [],
  };
}
