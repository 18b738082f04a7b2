import { ToolError } from '@org/mcp-decorators';

import { tooDeep } from './bounds.ts';
import { ColumnSizes, type Columns } from './column-sizes.ts';
import { CONSTANT_BYTES } from './literal-expansion.ts';
import { expanderOf, type LiteralSizes } from './literal-sizes.ts';
import { foldedNameIn, lastNameIn, nodesOf, widthIn, type Fields, type SyntaxNode } from './syntax-tree.ts';

const NODE_BYTES = 64;
const STATEMENT_BYTES = 2 * CONSTANT_BYTES;
/** Types whose values are as long as is said, whatever they are. */
export const PADDED: ReadonlySet<string> = new Set(['bpchar', 'bit']);
const AGGREGATES = /^(count|sum|avg|min|max|(array|string|jsonb?|jsonb?_object|xml)_agg|bool_(and|or)|every)$/;

/**
 * Refuses what grows while it is planned, which no timeout interrupts: columns of subqueries that are made of columns of
 * subqueries, each used more than once. Ten lines of `x || x` are seven gigabytes.
 *
 * @throws ToolError POLICY_DENIED or TOO_LARGE
 */
export function requireModestPlan(statement: SyntaxNode, literals: LiteralSizes): void {
  try {
    new PlannedSize(literals).statement(statement);
  } catch (error) {
    throw error instanceof RangeError ? tooDeep(error) : error;
  }
}

/** Measures the approximate bytes of expressions after the planner has replaced columns of subqueries by their definitions. */
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
    for (const node of nodesOf(part, ({ kind }) => kind !== 'SelectStmt')) {
      if (node.kind === 'SelectStmt') this.select(node.fields);
      else size += this.#sizeOf(node);
    }
    this.#total += size;
    if (this.#total > STATEMENT_BYTES) throw tooLarge();
    return size;
  }

  /** The planner does not inline columns of a subquery that is planned separately. */
  protected override seenOutside(columns: Columns, select: Fields): Columns {
    return isPlannedApart(select) ? columns.map(({ name }) => ({ name, size: NODE_BYTES })) : columns;
  }

  protected override repeated(): Columns {
    return [];
  }

  /** The planner replaces the row of a subquery by all its columns. */
  protected override rowSize({ total }: { readonly total: number }): number {
    return total;
  }

  #sizeOf(node: SyntaxNode): number {
    const { kind, fields } = node;
    if (kind === 'ColumnRef') return this.sizeOfColumn(node) ?? NODE_BYTES;
    if (kind === 'sval') return String(fields['sval']).length;
    if (kind === 'typeName' && PADDED.has(lastNameIn(fields['names']))) return widthIn(fields);
    return NODE_BYTES + (expanderOf(node) === undefined ? 0 : this.#literals.growth(node));
  }
}

function isPlannedApart({ limitCount, limitOffset, targetList }: Fields): boolean {
  if (limitCount !== undefined || limitOffset !== undefined) return true;
  return nodesOf({ kind: 'targets', fields: { targetList } }, ({ kind }) => kind !== 'SelectStmt').some(
    ({ kind, fields }) =>
      kind === 'FuncCall' && ('over' in fields || AGGREGATES.test(foldedNameIn(fields['funcname']).join('.'))),
  );
}

function tooLarge(): ToolError {
  return new ToolError('POLICY_DENIED', `the planner would write more than ${STATEMENT_BYTES} bytes of columns of subqueries`, {
    hint: 'use each column of a subquery less often, or give the subquery a LIMIT; the operator may allow it with --policy off',
    data: { rule: 'planned-size', name: 'subqueries', option: '--policy off' },
  });
}
