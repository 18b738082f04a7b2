import { ToolError } from '@org/mcp-decorators';

import { tooDeep } from './bounds.ts';
import { ColumnSizes, type Columns, type Scope } from './column-sizes.ts';
import { constantIn, expanderOf } from './literal-expansion.ts';
import { PADDED } from './planned-size.ts';
import { fieldsOf, listOf, foldedNameIn, nodesOf, widthIn, type Fields, type SyntaxNode } from './syntax-tree.ts';

type Params = readonly (string | null)[];

/** Maximum number of digits before the decimal point. */
const MOST_DIGITS = 131_072;
/** Assumed maximum number of digits of values in tables and of function results. */
const STORED_DIGITS = 1000;
/** Digits of the result of an exponential, a logarithm or a root. */
const COMPUTED_DIGITS = 4000;
/** Digits of a machine number: integers, double precision. */
const WORD_DIGITS = 20;

/** PostgreSQL computes with groups of four digits. The number of steps of a product is the product of both group counts. */
const GROUPS = 4 * 4;
/** Steps of the largest product that does not overflow; takes 0.3–0.5 s. */
const MOST_STEPS = (MOST_DIGITS / 2) ** 2 / GROUPS;
/** Assumed steps of a power with an unknown exponent, near the maximum. */
const POWER_STEPS = 1e9;
/** Maximum number of uninterruptible steps of a statement; takes 4–6 s. */
const STATEMENT_STEPS = 4e9;

/** Computes the digits of the result of an operation, and its number of steps, from the digits of the operands. */
type Operation = (
  left: number,
  right: number,
  exponent: () => number | undefined,
) => { readonly digits: number; readonly steps: number };

const multiplied: Operation = (left, right) => ({ digits: left + right, steps: stepsOf(left, right) });

/** Computes the quotient and its product with the divisor. */
const remainder: Operation = (left, right) => ({ digits: Math.max(left, right), steps: 3 * stepsOf(left, right) });

/** Computes by repeated squaring; the last squares are as long as the result. */
const power: Operation = (base, _, exponentOf) => {
  const exponent = exponentOf();
  if (exponent === undefined) return { digits: MOST_DIGITS, steps: POWER_STEPS };
  const digits = Math.min(MOST_DIGITS, base * exponent + COMPUTED_DIGITS / GROUPS);
  return { digits, steps: exponent <= 2 ? stepsOf(base, base) : (2 * digits ** 2) / GROUPS };
};

/** PostgreSQL checks for interrupts during a factorial, but not during a product with its result. */
const factorial: Operation = (_, __, argument) => ({ digits: Math.min(MOST_DIGITS, 5 * (argument() ?? MOST_DIGITS)), steps: 0 });

const series: Operation = (left) => ({ digits: COMPUTED_DIGITS, steps: stepsOf(left, left) });

const OPERATORS: Readonly<Record<string, Operation>> = {
  '*': multiplied,
  '/': multiplied,
  '%': remainder,
  '^': power,
  '!!': factorial,
};

const FUNCTIONS: Readonly<Record<string, Operation>> = {
  ...Object.fromEntries(
    ['div', 'gcd', 'lcm', 'numeric_mul', 'numeric_div', 'numeric_div_trunc'].map((name) => [name, multiplied]),
  ),
  ...Object.fromEntries(['mod', 'numeric_mod'].map((name) => [name, remainder])),
  ...Object.fromEntries(['power', 'pow', 'numeric_power'].map((name) => [name, power])),
  ...Object.fromEntries(['factorial', 'numeric_fac'].map((name) => [name, factorial])),
  ...Object.fromEntries(
    ['exp', 'ln', 'log', 'log10', 'sqrt'].flatMap((name) => [name, `numeric_${name}`]).map((name) => [name, series]),
  ),
};

/** Functions whose result, parsed as a number, may have any number of digits. */
const TEXTS: ReadonlySet<string> = new Set(
  'string_agg array_agg json_agg jsonb_agg xmlagg array_to_string array_fill current_query repeat lpad rpad format'.split(' '),
);
const WORDS: ReadonlySet<string> = new Set(
  'bool int2 int4 int8 float4 float8 oid money date time timestamp timestamptz interval'.split(' '),
);

/** Whether some of the nodes are operations that PostgreSQL does not interrupt for long numbers. */
export function hasProducts(nodes: readonly SyntaxNode[]): boolean {
  return nodes.some((node) => operationOf(node) !== undefined);
}

/**
 * Rejects a statement whose products of long numbers could take longer than a few seconds. PostgreSQL checks for a cancel or a
 * timeout between rows, but not during a product.
 *
 * @throws ToolError POLICY_DENIED or TOO_LARGE
 */
export function requireModestNumbers(statement: SyntaxNode, params: Params): void {
  try {
    new NumericCost(params).statement(statement);
  } catch (error) {
    throw error instanceof RangeError ? tooDeep(error) : error;
  }
}

/** Digits of nodes; the keys are the fields of the nodes. */
type Sizes = ReadonlyMap<unknown, number>;

/** A node with its scope and the sizes of its parts. */
interface Found {
  readonly node: SyntaxNode;
  readonly scope: Scope;
  readonly sizes: Sizes;
}

/** Measures the maximum number of digits of values as numbers. */
class NumericCost extends ColumnSizes {
  readonly #params: Params;
  /** Sizes of kinds of nodes that differ from the size of their largest part. */
  readonly #byKind: Readonly<Record<string, (found: Found) => number>> = {
    ival: constantDigits,
    fval: constantDigits,
    sval: constantDigits,
    bsval: constantDigits,
    A_Expr: ({ node, sizes }) => (isJoined(node) ? total : most)(Object.values(node.fields), sizes),
    ColumnRef: ({ node, scope }) => this.sizeOfColumn(node, scope) ?? STORED_DIGITS,
    FuncCall: ({ node, sizes }) => this.#result(node, sizes),
    ParamRef: ({ node }) => digitsIn(this.#params[Number(node.fields['number'] ?? 0) - 1] ?? ''),
    SelectStmt: ({ node, scope }) => Math.max(1, ...this.select(node.fields, scope).map(({ size }) => size)),
    SubLink: ({ node, sizes }) =>
      node.fields['subLinkType'] === 'ARRAY_SUBLINK' ? MOST_DIGITS : most(Object.values(node.fields), sizes),
    TypeCast: ({ node, sizes }) => cast(fieldsOf(node.fields['typeName']), largest(node.fields['arg'], sizes)),
  };
  #steps = 0;

  constructor(params: Params) {
    super();
    this.#params = params;
  }

  protected override measure(part: SyntaxNode, scope: Scope): number {
    const nodes = nodesOf(part, ({ kind }) => kind !== 'SelectStmt');
    const sizes = new Map<unknown, number>();
    // The parts of a node follow the node, so the reversed order measures the parts first.
    for (const node of nodes.toReversed()) sizes.set(node.fields, Math.min(MOST_DIGITS, this.#digitsOf(node, scope, sizes)));
    return sizes.get(part.fields) ?? 1;
  }

  protected override seenOutside(columns: Columns): Columns {
    return columns;
  }

  /** Each round of a recursion may double the length of a number. */
  protected override repeated(columns: Columns): Columns {
    return columns.map(({ name }) => ({ name, size: MOST_DIGITS }));
  }

  #digitsOf(node: SyntaxNode, scope: Scope, sizes: Sizes): number {
    const operation = operationOf(node);
    if (operation !== undefined) return this.#compute(operation, operandsOf(node), sizes);
    const digits = Object.hasOwn(this.#byKind, node.kind) ? this.#byKind[node.kind] : undefined;
    return digits?.({ node, scope, sizes }) ?? most(Object.values(node.fields), sizes);
  }

  #result(call: SyntaxNode, sizes: Sizes): number {
    const args = listOf(call.fields['args']);
    const name = foldedNameIn(call.fields['funcname']).at(-1) ?? '';
    const count = constantIn(args[1], this.#params);
    if (expanderOf(call) !== undefined && args.length > 1 && /^(?:repeat|[lr]pad)$/.test(name) && count !== undefined)
      return count * (name === 'repeat' ? largest(args[0], sizes) : 1);
    return TEXTS.has(name) ? MOST_DIGITS : Math.max(STORED_DIGITS, total(args, sizes));
  }

  #compute(operation: Operation, operands: readonly unknown[], sizes: Sizes): number {
    const [left, right = left] = operands;
    const exponent = (): number | undefined => constantIn(right, this.#params);
    const { digits, steps } = operation(largest(left, sizes), largest(right, sizes), exponent);
    this.#steps += steps;
    if (this.#steps > STATEMENT_STEPS) throw tooLong();
    return digits;
  }
}

function operationOf({ kind, fields }: SyntaxNode): Operation | undefined {
  if (kind === 'A_Expr') return fields['kind'] === 'AEXPR_OP' ? of(OPERATORS, foldedNameIn(fields['name']).at(-1)) : undefined;
  return kind === 'FuncCall' ? of(FUNCTIONS, foldedNameIn(fields['funcname']).at(-1)) : undefined;
}

function of(table: Readonly<Record<string, Operation>>, name = ''): Operation | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

function operandsOf({ kind, fields }: SyntaxNode): readonly unknown[] {
  return kind === 'FuncCall' ? listOf(fields['args']) : [fields['lexpr'], fields['rexpr']].filter((side) => side !== undefined);
}

function stepsOf(left: number, right: number): number {
  return Math.min(MOST_STEPS, (left * right) / GROUPS);
}

/** Whether a node concatenates texts, so that the lengths of its parts add up. */
function isJoined({ kind, fields }: SyntaxNode): boolean {
  return kind === 'A_Expr' && foldedNameIn(fields['name']).at(-1) === '||';
}

function largest(value: unknown, sizes: Sizes): number {
  if (Array.isArray(value)) return value.reduce((most: number, item) => Math.max(most, largest(item, sizes)), 0);
  return sizes.get(value) ?? 0;
}

function most(values: readonly unknown[], sizes: Sizes): number {
  return Math.max(1, largest(values, sizes));
}

function total(values: readonly unknown[], sizes: Sizes): number {
  return values.reduce((sum: number, value) => sum + largest(value, sizes), 1);
}

function constantDigits({ node: { kind, fields } }: Found): number {
  const value = fields[kind];
  return typeof value === 'number' || typeof value === 'string' ? digitsIn(String(value)) : 1;
}

/** Returns the digits of a text or a number: its length plus its largest exponent. */
function digitsIn(text: string): number {
  const exponents = (text.match(/e[+-]?\d{1,7}/gi) ?? []).map((found) => Math.abs(Number(found.slice(1))));
  return text.length + exponents.reduce((most, exponent) => Math.max(most, exponent), 0);
}

function cast({ names, ...type }: Fields, digits: number): number {
  const name = foldedNameIn(names).at(-1) ?? '';
  if (WORDS.has(name)) return WORD_DIGITS;
  if (name === 'numeric' && type['typmods'] !== undefined) return Math.min(digits, widthIn(type));
  return PADDED.has(name) ? Math.max(digits, widthIn(type)) : digits;
}

function tooLong(): ToolError {
  return new ToolError(
    'POLICY_DENIED',
    'the statement multiplies numbers of so many digits that PostgreSQL could not be interrupted',
    {
      hint: 'compute with double precision or numbers of fewer digits, or in several statements; the operator may allow it with --policy off',
      data: { rule: 'numeric-cost', name: 'numeric', option: '--policy off' },
    },
  );
}
