import { numberOf, textOf, type PlanNode } from './plan-node.ts';

/** A plan as an indented tree, one step a line. */
export function planText(node: PlanNode, depth = 0): string {
  return [line(node, depth), ...node.children.map((child) => planText(child, depth + 1))].join('\n');
}

/** A step and what it works on. */
export function stepText({ step, on }: PlanNode): string {
  return on === undefined ? step : `${step} on ${on}`;
}

function line(node: PlanNode, depth: number): string {
  const { cost, rows, actualRows, actualMs, loops, condition, fields } = node;
  const often = loops > 1 ? ` loops=${loops}` : '';
  const actual = actualRows === undefined ? '' : `, actual rows=${actualRows} time=${(actualMs ?? 0).toFixed(1)} ms${often}`;
  const where = condition === undefined ? '' : ` ${condition}`;
  const origin = textOf(fields, 'Parent Relationship');
  const label = textOf(fields, 'Subplan Name') ?? (origin === 'SubPlan' ? origin : undefined);
  const name = label === undefined ? '' : `[${label}] `;
  return `${'  '.repeat(depth)}${name}${stepText(node)} (cost=${cost} rows=${rows}${actual})${where}${buffers(node)}`;
}

const BUFFERS = {
  hit: 'Shared Hit Blocks',
  read: 'Shared Read Blocks',
  'temp read': 'Temp Read Blocks',
  'temp written': 'Temp Written Blocks',
};

/** Pages that were found in memory or not, where that was measured. */
function buffers({ fields }: PlanNode): string {
  const counts = Object.entries(BUFFERS).flatMap(([word, name]) => {
    const pages = numberOf(fields, name) ?? 0;
    return pages === 0 ? [] : [`${word}=${pages}`];
  });
  return counts.length === 0 ? '' : ` [pages ${counts.join(' ')}]`;
}
