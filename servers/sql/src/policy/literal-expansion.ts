import { ToolError } from '@org/mcp-decorators';

import { expanderOf, type LiteralSizes } from './literal-sizes.ts';
import type { SyntaxNode } from './syntax-tree.ts';

/** What one constant may take, about. */
export const CONSTANT_BYTES: number = 16 * 2 ** 20;

/** Calls among nodes that may make constants that grow. */
export function expandersIn(nodes: readonly SyntaxNode[]): readonly SyntaxNode[] {
  return nodes.filter((node) => expanderOf(node) !== undefined);
}

/**
 * Refuses constants that grow: the planner computes them, in one piece, and no timeout interrupts that. Counts that are only
 * known when the statement runs are up to the layers below.
 *
 * @throws ToolError POLICY_DENIED
 */
export function requireModestLiterals(expanders: readonly SyntaxNode[], literals: LiteralSizes): void {
  for (const node of expanders) {
    if (literals.growth(node) <= CONSTANT_BYTES) continue;
    throw new ToolError('POLICY_DENIED', `${expanderOf(node)} would make a constant of more than ${CONSTANT_BYTES} bytes`, {
      hint: 'make it smaller; the operator may allow it with --policy off',
      data: { rule: 'literal-expansion', name: expanderOf(node), option: '--policy off' },
    });
  }
}
