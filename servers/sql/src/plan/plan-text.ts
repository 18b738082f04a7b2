import type { PlanNode } from './plan-node.ts';

/** A plan as an indented tree, one step a line. */
export function planText(node: PlanNode, depth = 0): string {
  return [line(node, depth), ...node.children.map((child) => planText(child, depth + 1))].join('\n');
}

function line({ step, on, cost, rows, actualRows, actualMs, condition }: PlanNode, depth: number): string {
  const actual = actualRows === undefined ? '' : `, actual rows=${actualRows} time=${(actualMs ?? 0).toFixed(1)} ms`;
  const where = condition === undefined ? '' : ` ${condition}`;
  return `${'  '.repeat(depth)}${step}${on === undefined ? '' : ` on ${on}`} (cost=${cost} rows=${rows}${actual})${where}`;
}
