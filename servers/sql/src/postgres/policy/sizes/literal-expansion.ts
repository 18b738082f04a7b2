import { ToolError } from '@org/mcp-decorators';

import { getExpanderName, type LiteralSizes } from './literal-sizes.ts';
import type { SyntaxNode } from '../parse/syntax-tree.ts';

/** Approximate maximum size of one constant. */
export const CONSTANT_BYTES: number = 16 * 2 ** 20;

/** Returns the calls that may produce large constants. */
export function findExpanders(nodes: readonly SyntaxNode[]): readonly SyntaxNode[] {
  return nodes.filter((node) => getExpanderName(node) !== undefined);
}

/**
 * Rejects large constants, because the planner computes constants and no timeout interrupts the planner. This function does not
 * check counts that are known only when the statement runs.
 *
 * @throws ToolError POLICY_DENIED for a constant of more than `CONSTANT_BYTES` bytes
 */
export function requireBoundedLiterals(expanders: readonly SyntaxNode[], literals: LiteralSizes): void {
  for (const node of expanders) {
    if (literals.growth(node) <= CONSTANT_BYTES) continue;
    throw new ToolError(
      'POLICY_DENIED',
      `${getExpanderName(node)} would produce a constant of more than ${CONSTANT_BYTES} bytes`,
      {
        hint: 'use a smaller constant; the operator may allow it with --policy off',
        data: { rule: 'literal-expansion', name: getExpanderName(node), option: '--policy off' },
      },
    );
  }
}
