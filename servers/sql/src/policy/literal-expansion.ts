import { ToolError } from '@org/mcp-decorators';

import { listOf, foldedNameIn, nodeOf, nodesOf, type SyntaxNode } from './syntax-tree.ts';

type Params = readonly (string | null)[];

const TWICE = { A_Const: { ival: { ival: 2 } } };

/** Functions whose result outgrows their arguments, and which of these say how far; none: as far as the others multiply. */
const EXPANDING: Readonly<Record<string, (args: readonly unknown[], params: Params) => readonly unknown[]>> = {
  repeat: ([, count]) => [count],
  lpad: ([, length]) => [length],
  rpad: ([, length]) => [length],
  array_fill: ([, lengths]) => [lengths],
  format: (args, params) => (/%[\d$-]*(\*|\d{6})/.test(JSON.stringify([args[0], params])) ? args : []),
  replace: () => [],
  array_to_string: () => [],
  array_replace: () => [],
  quote_literal: () => [TWICE],
  quote_nullable: () => [TWICE],
  quote_ident: () => [TWICE],
  regexp_replace: () => [],
};

/** What one constant may take, about. */
export const CONSTANT_BYTES: number = 16 * 2 ** 20;

/** Calls among nodes that may make constants that grow. */
export function expandersIn(nodes: readonly SyntaxNode[]): readonly SyntaxNode[] {
  return nodes.filter(isExpanding);
}

/**
 * Refuses constants that grow: the planner computes them, in one piece, and no timeout interrupts that. Counts that are only
 * known when the statement runs are up to the layers below.
 *
 * @throws ToolError POLICY_DENIED
 */
export function requireModestLiterals(expanders: readonly SyntaxNode[], params: Params): void {
  for (const node of expanders) {
    if (growth(node, params) <= CONSTANT_BYTES) continue;
    throw new ToolError('POLICY_DENIED', `${expanderOf(node)} would make a constant of more than ${CONSTANT_BYTES} bytes`, {
      hint: 'make it smaller; the operator may allow it with --policy off',
      data: { rule: 'literal-expansion', name: expanderOf(node), option: '--policy off' },
    });
  }
}

/** How often the smallest of what goes in comes out, were it nested as deeply as can be. */
export function growth(call: SyntaxNode, params: Params): number {
  let product = 1;
  for (const node of nodesOf(call)) {
    const name = expanderOf(node);
    const counts = name === undefined ? undefined : EXPANDING[name]?.(listOf(node.fields['args']), params);
    for (const count of counts ?? []) product *= sizeIn(count, params);
  }
  return product;
}

export function isExpanding(node: SyntaxNode): boolean {
  return expanderOf(node) !== undefined;
}

/** Returns the name of a function whose result may be larger than its arguments. */
export function expanderOf({ kind, fields }: SyntaxNode): string | undefined {
  const name = kind === 'FuncCall' ? foldedNameIn(fields['funcname']).at(-1) : undefined;
  return name !== undefined && Object.hasOwn(EXPANDING, name) ? name : undefined;
}

/** Returns an upper bound of an argument, or `undefined` if its value may depend on rows. */
export function constantIn(argument: unknown, params: Params): number | undefined {
  const root = nodeOf(argument);
  if (root === undefined || nodesOf(root).some(({ kind }) => VARYING.has(kind))) return undefined;
  return sizeIn(argument, params);
}

const VARYING: ReadonlySet<string> = new Set(['ColumnRef', 'FuncCall', 'SubLink', 'SelectStmt', 'SQLValueFunction']);

/** Returns an upper bound of a constant argument: the product of its numbers. Powers and shifts grow faster and are computed. */
function sizeIn(argument: unknown, params: Params): number {
  const root = nodeOf(argument);
  if (root === undefined) return 1;
  const nodes = nodesOf(root);
  let product = 1;
  for (const node of nodes) product *= numberIn(node, params);
  const [steep, ...others] = nodes.flatMap((node) => powerIn(node) ?? []);
  if (steep === undefined) return product;
  if (others.length > 0) return product ** product;
  const [base, exponent] = steep.map((operand) => sizeIn(operand, params));
  return (product / ((base ?? 1) * (exponent ?? 1))) * Math.max(base ?? 1, 2) ** (exponent ?? 1) * (base ?? 1);
}

/** Returns base and exponent of a power or a shift. */
function powerIn({ kind, fields }: SyntaxNode): readonly (readonly unknown[])[] | undefined {
  if (kind === 'A_Expr' && ['^', '<<'].includes(foldedNameIn(fields['name']).at(-1) ?? ''))
    return [[fields['lexpr'], fields['rexpr']]];
  return kind === 'FuncCall' && /^(?:power|pow)$/.test(foldedNameIn(fields['funcname']).at(-1) ?? '')
    ? [listOf(fields['args'])]
    : undefined;
}

function numberIn({ kind, fields }: SyntaxNode, params: Params): number {
  if (kind === 'ParamRef') return largestIn(params[Number(fields['number'] ?? 0) - 1]);
  // A text may be cast to a number or an array, or be a format.
  return ['ival', 'fval', 'sval'].includes(kind) ? largestIn(fields[kind]) : 1;
}

function largestIn(value: unknown): number {
  if (typeof value === 'number') return Math.max(1, Math.abs(value));
  if (typeof value !== 'string') return 1;
  const numbers = value.match(/\d[\d_]*(\.\d+)?(e\d+)?/gi) ?? [];
  return numbers.reduce((largest, digits) => Math.max(largest, Number(digits.replaceAll('_', ''))), 1);
}
