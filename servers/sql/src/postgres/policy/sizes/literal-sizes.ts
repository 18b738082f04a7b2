import { getLastName, toList, toNode, collectNodes, type Fields, type SyntaxNode } from '../parse/syntax-tree.ts';

export type Params = readonly (string | null)[];

/** Facts about the constants in a part of a statement. */
interface Literal {
  /** Product of the constants in the part. A string counts as the largest number in its text. */
  readonly product: number;
  /** Upper bound of the value of the part: the product, with powers and shifts computed. */
  readonly value: number;
  /** Number of powers and shifts in the part. */
  readonly powers: number;
  /** Whether the value may depend on rows. */
  readonly varies: boolean;
  /**
   * Whether a string in the part is a format string with a width of at least six digits, or with a width from an argument (`*`).
   */
  readonly pads: boolean;
  /** Upper bound of the factor by which functions in the part enlarge a constant. */
  readonly growth: number;
}

type Own = Pick<Literal, 'product' | 'pads'>;
type Sizes = ReadonlyMap<unknown, Literal>;

/**
 * Measures the constants of a statement. Each node is measured once, from its parts, because statements may be nested as deeply as
 * they are long.
 */
export class LiteralSizes {
  readonly #root: SyntaxNode;
  readonly #params: readonly Own[];
  #sizes: Sizes | undefined;

  constructor(root: SyntaxNode, params: Params) {
    this.#root = root;
    this.#params = params.map((text) => ({ product: findLargestNumber(text), pads: isPadding(text) }));
  }

  /** Returns an upper bound of the growth of a constant by a call and all calls within the call. */
  growth(call: SyntaxNode): number {
    return this.#get(call.fields).growth;
  }

  /** Returns an upper bound of the value of an argument. Returns `undefined` if the value may depend on rows. */
  evaluateConstant(argument: unknown): number | undefined {
    const root = toNode(argument);
    if (root === undefined) return undefined;
    const { varies, value } = this.#get(root.fields);
    return varies ? undefined : value;
  }

  #get(fields: unknown): Literal {
    return this.#measureAll().get(fields) ?? NOTHING;
  }

  #measureAll(): Sizes {
    if (this.#sizes !== undefined) return this.#sizes;
    const sizes = new Map<unknown, Literal>();
    // The list contains each node before its parts, so the reversed order measures the parts first.
    for (const node of collectNodes(this.#root).toReversed()) {
      const size = this.#measureNode(node, sizes);
      if (size !== NOTHING) sizes.set(node.fields, size);
    }
    this.#sizes = sizes;
    return sizes;
  }

  #measureNode(node: SyntaxNode, sizes: Sizes): Literal {
    const parts = flattenFields(node.fields).flatMap((part) => sizes.get(part) ?? NONE);
    const own = this.#own(node);
    const steep = findPower(node);
    const expansion = this.#expansion(node, sizes);
    const varies = VARYING.has(node.kind);
    if (parts.length === 0 && own === NOTHING && steep === undefined && expansion === 1 && !varies) return NOTHING;
    return combineLiterals(
      parts,
      { ...own, varies, powers: steep === undefined ? 0 : 1, growth: expansion },
      getOperands(steep, sizes),
    );
  }

  #own({ kind, fields }: SyntaxNode): Own {
    if (kind === 'ParamRef') return this.#params[Number(fields['number'] ?? 0) - 1] ?? NOTHING;
    // A string counts like a number, because it may be the text form of a number or an array, or a format string.
    if (!NUMBERS.has(kind)) return NOTHING;
    return { product: findLargestNumber(fields[kind]), pads: isPadding(fields[kind]) };
  }

  #expansion(node: SyntaxNode, sizes: Sizes): number {
    const name = getExpanderName(node);
    if (name === undefined) return 1;
    const args = toList(node.fields['args']);
    const sizeOf = (arg: unknown): Literal => sizes.get(toNode(arg)?.fields) ?? NOTHING;
    const isFormat = name === 'format' && (sizeOf(args[0]).pads || this.#params.some(({ pads }) => pads));
    const counts = isFormat ? args : (EXPANDING[name]?.(args) ?? []);
    return counts.reduce((sum: number, count) => sum * (typeof count === 'number' ? count : sizeOf(count).value), 1);
  }
}

/**
 * Functions whose result may be larger than their arguments. Each entry returns the arguments or numbers whose product is the
 * factor of growth. If an entry returns an empty list, the result grows only as much as all arguments together.
 */
const EXPANDING: Readonly<Record<string, (args: readonly unknown[]) => readonly unknown[]>> = {
  repeat: ([, count]) => [count],
  lpad: ([, length]) => [length],
  rpad: ([, length]) => [length],
  array_fill: ([, lengths]) => [lengths],
  format: () => [],
  replace: () => [],
  array_to_string: () => [],
  array_replace: () => [],
  quote_literal: () => [2],
  quote_nullable: () => [2],
  quote_ident: () => [2],
  regexp_replace: () => [],
};

/** Returns the name of a function whose result may be larger than its arguments. */
export function getExpanderName({ kind, fields }: SyntaxNode): string | undefined {
  const name = kind === 'FuncCall' ? getLastName(fields['funcname']) : undefined;
  return name !== undefined && Object.hasOwn(EXPANDING, name) ? name : undefined;
}

const NOTHING: Literal = { product: 1, value: 1, powers: 0, varies: false, pads: false, growth: 1 };

const VARYING: ReadonlySet<string> = new Set(['ColumnRef', 'FuncCall', 'SubLink', 'SelectStmt', 'SQLValueFunction']);

const NUMBERS: ReadonlySet<string> = new Set(['ival', 'fval', 'sval']);
const NONE: readonly never[] = [];

/** Returns the objects in the fields of a node, at any depth of lists. */
export function flattenFields(fields: Fields): readonly unknown[] {
  const values = Object.values(fields);
  return values.some((value) => Array.isArray(value)) ? values.flat(Number.POSITIVE_INFINITY) : values;
}

function getOperands(steep: readonly unknown[] | undefined, sizes: Sizes): readonly Literal[] | undefined {
  return steep?.map((operand) => sizes.get(operand) ?? NOTHING);
}

function combineLiterals(
  parts: readonly Literal[],
  own: Omit<Literal, 'value'>,
  operands: readonly Literal[] | undefined,
): Literal {
  let { product, powers, varies, pads, growth } = own;
  for (const part of parts) {
    product *= part.product;
    powers += part.powers;
    growth *= part.growth;
    varies ||= part.varies;
    pads ||= part.pads;
  }
  return { product, powers, varies, pads, growth, value: computeValue({ product, powers }, parts, operands) };
}

function computeValue(
  { product, powers }: Pick<Literal, 'product' | 'powers'>,
  parts: readonly Literal[],
  operands: readonly Literal[] | undefined,
): number {
  if (powers === 0) return product;
  if (powers > 1) return product ** product;
  if (operands === undefined) return parts.reduce((value, part) => value * part.value, 1);
  const [base = NOTHING, exponent = NOTHING, ...others] = operands;
  return others.reduce((value, other) => value * other.product, Math.max(base.value, 2) ** exponent.value * base.value);
}

/** Returns base and exponent of a power or a shift. */
function findPower({ kind, fields }: SyntaxNode): readonly unknown[] | undefined {
  if (kind === 'A_Expr' && ['^', '<<'].includes(getLastName(fields['name']))) return [fields['lexpr'], fields['rexpr']];
  return kind === 'FuncCall' && /^(?:power|pow)$/.test(getLastName(fields['funcname'])) ? toList(fields['args']) : undefined;
}

function isPadding(value: unknown): boolean {
  return typeof value === 'string' && /%[\d$-]*(?:\*|\d{6})/.test(value);
}

function findLargestNumber(value: unknown): number {
  if (typeof value === 'number') return Math.max(1, Math.abs(value));
  if (typeof value !== 'string') return 1;
  const numbers = value.match(/\d[\d_]*(\.\d+)?(e\d+)?/gi) ?? [];
  return numbers.reduce((largest, digits) => Math.max(largest, Number(digits.replaceAll('_', ''))), 1);
}
