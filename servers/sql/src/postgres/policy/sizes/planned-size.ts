import { ToolError } from '@org/mcp-decorators';

import { tooDeep } from '../parse/bounds.ts';
import { ColumnSizes, type Columns } from './column-sizes.ts';
import { CONSTANT_BYTES } from './literal-expansion.ts';
import { getExpanderName, type LiteralSizes } from './literal-sizes.ts';
import { getFoldedName, getLastName, collectNodes, getWidth, type Fields, type SyntaxNode } from '../parse/syntax-tree.ts';

const NODE_BYTES = 64;
const STATEMENT_BYTES = 2 * CONSTANT_BYTES;
/** Types whose values are padded to the declared length. */
export const PADDED: ReadonlySet<string> = new Set(['bpchar', 'bit']);
const AGGREGATES = /^(count|sum|avg|min|max|(array|string|jsonb?|jsonb?_object|xml)_agg|bool_(and|or)|every)$/;

/**
 * Rejects statements that grow during planning, because no timeout interrupts the planner. The planner copies the definitions of
 * columns of subqueries, so columns that are used more than once at each level grow exponentially. Ten nested levels of `x || x`
 * take seven gigabytes.
 *
 * @throws ToolError POLICY_DENIED for such a statement; TOO_LARGE for a statement that is nested too deeply
 */
export function requireBoundedPlan(statement: SyntaxNode, literals: LiteralSizes): void {
  try {
    new PlannedSize(literals).statement(statement);
  } catch (error) {
    throw error instanceof RangeError ? tooDeep(error) : error;
  }
}

/** Measures the approximate bytes of expressions after the planner has replaced columns of subqueries with their definitions. */
class PlannedSize extends ColumnSizes {
  protected override readonly stored: number = NODE_BYTES;
  readonly #literals: LiteralSizes;
  #total = 0;

  constructor(literals: LiteralSizes) {
    super();
    this.#literals = literals;
  }

  protected override measure(part: SyntaxNode): number {
    let size = 0;
    for (const node of collectNodes(part, ({ kind }) => kind !== 'SelectStmt')) {
      if (node.kind === 'SelectStmt') this.select(node.fields);
      else size += this.#measureNode(node);
    }
    this.#total += size;
    if (this.#total > STATEMENT_BYTES) throw tooLarge();
    return size;
  }

  /** Returns small sizes for a subquery that is planned separately, because the planner does not inline its columns. */
  protected override toOuterColumns(columns: Columns, select: Fields): Columns {
    return isPlannedSeparately(select) ? columns.map(({ name }) => ({ name, size: NODE_BYTES })) : columns;
  }

  protected override repeatColumns(): Columns {
    return [];
  }

  /** Returns the total size of the columns, because the planner replaces the row of a subquery with all columns. */
  protected override rowSize({ total }: { readonly total: number }): number {
    return total;
  }

  #measureNode(node: SyntaxNode): number {
    const { kind, fields } = node;
    if (kind === 'ColumnRef') return this.findColumnSize(node) ?? NODE_BYTES;
    if (kind === 'sval') return String(fields['sval']).length;
    if (kind === 'typeName' && PADDED.has(getLastName(fields['names']))) return getWidth(fields);
    return NODE_BYTES + (getExpanderName(node) === undefined ? 0 : this.#literals.growth(node));
  }
}

function isPlannedSeparately({ limitCount, limitOffset, targetList }: Fields): boolean {
  if (limitCount !== undefined || limitOffset !== undefined) return true;
  return collectNodes({ kind: 'targets', fields: { targetList } }, ({ kind }) => kind !== 'SelectStmt').some(
    ({ kind, fields }) =>
      kind === 'FuncCall' && ('over' in fields || AGGREGATES.test(getFoldedName(fields['funcname']).join('.'))),
  );
}

function tooLarge(): ToolError {
  return new ToolError(
    'POLICY_DENIED',
    `the planner would expand the columns of subqueries to more than ${STATEMENT_BYTES} bytes`,
    {
      hint: 'use each column of a subquery less often, or give the subquery a LIMIT; the operator may allow it with --policy off',
      data: { rule: 'planned-size', name: 'subqueries', option: '--policy off' },
    },
  );
}
