import { readNumber, readText, type PlanNode } from './plan-node.ts';

/** Writes a plan as an indented tree, one step per line. */
export function formatPlan(node: PlanNode, depth = 0): string {
  return [formatLine(node, depth), ...node.children.map((child) => formatPlan(child, depth + 1))].join('\n');
}

/** Writes the name of a step and the object that it reads or changes. */
export function formatStep({ step, on }: PlanNode): string {
  return on === undefined ? step : `${step} on ${on}`;
}

function formatLine(node: PlanNode, depth: number): string {
  const { cost, rows, actualRows, actualMs, loops, condition, fields } = node;
  const often = loops > 1 ? ` loops=${loops}` : '';
  const actual = actualRows === undefined ? '' : `, actual rows=${actualRows} time=${(actualMs ?? 0).toFixed(1)} ms${often}`;
  const where = condition === undefined ? '' : ` ${condition}`;
  const origin = readText(fields, 'Parent Relationship');
  const label = readText(fields, 'Subplan Name') ?? (origin === 'SubPlan' ? origin : undefined);
  const name = label === undefined ? '' : `[${label}] `;
  return `${'  '.repeat(depth)}${name}${formatStep(node)} (cost=${cost} rows=${rows}${actual})${where}${formatBuffers(node)}`;
}

const BUFFERS = {
  hit: 'Shared Hit Blocks',
  read: 'Shared Read Blocks',
  'temp read': 'Temp Read Blocks',
  'temp written': 'Temp Written Blocks',
};

/** Writes the numbers of pages that were found in memory, read or written. Numbers that are 0, or not measured, are omitted. */
function formatBuffers({ fields }: PlanNode): string {
  const counts = Object.entries(BUFFERS).flatMap(([word, name]) => {
    const pages = readNumber(fields, name) ?? 0;
    return pages === 0 ? [] : [`${word}=${pages}`];
  });
  return counts.length === 0 ? '' : ` [pages ${counts.join(' ')}]`;
}
