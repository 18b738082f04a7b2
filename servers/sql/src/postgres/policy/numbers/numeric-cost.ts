import { ToolError } from '@org/mcp-decorators';

import { tooDeep } from '../parse/bounds.ts';
import { ColumnSizes, type Columns } from '../sizes/column-sizes.ts';
import { flattenFields, type LiteralSizes, type Params } from '../sizes/literal-sizes.ts';
import { PADDED } from '../sizes/planned-size.ts';
import {
  toFields,
  toList,
  getLastName,
  toNode,
  collectNodes,
  getWidth,
  type Fields,
  type SyntaxNode,
} from '../parse/syntax-tree.ts';
import { MAX_DIGITS, getOperands, findOperation, countSteps, STORED_DIGITS, type Operation } from './number-operations.ts';
import { countDigits, countResultDigits, mayBeHexadecimal, parsesNumbers, WORDS } from './number-texts.ts';

/** Assumed digits of a machine number, such as an integer or a double precision number. */
const WORD_DIGITS = 20;
/** Maximum number of uninterruptible steps of a statement. PostgreSQL takes 4–6 s for this number. */
const STATEMENT_STEPS = 4e9;

/** Whether some of the nodes compute with long numbers or convert texts to numbers. PostgreSQL cannot interrupt most of these operations. */
export function hasProducts(nodes: readonly SyntaxNode[]): boolean {
  return nodes.some((node) => findOperation(node) !== undefined || parsesNumbers(node));
}

/**
 * Rejects a statement whose products of long numbers could take longer than a few seconds. PostgreSQL checks for a cancel or a
 * timeout between rows, but not during a product.
 *
 * @throws ToolError POLICY_DENIED for such a statement; TOO_LARGE for a statement that is nested too deeply
 */
export function requireBoundedNumbers(statement: SyntaxNode, literals: LiteralSizes, params: Params): void {
  try {
    new NumericCost(literals, params).statement(statement);
  } catch (error) {
    throw error instanceof RangeError ? tooDeep(error) : error;
  }
}

/** Number of digits of each node, keyed by the `fields` object of the node. */
type Sizes = ReadonlyMap<unknown, number>;

/** A node of the syntax tree, and the numbers of digits that the values of its child nodes may have. */
interface Found {
  readonly node: SyntaxNode;
  readonly sizes: Sizes;
}

/** Measures the maximum number of digits that values have as numbers, and counts the steps of the operations. */
class NumericCost extends ColumnSizes {
  protected override readonly stored: number = STORED_DIGITS;
  readonly #literals: LiteralSizes;
  /** Each parameter is measured once, because a statement may use a parameter many times. */
  readonly #params: readonly { readonly digits: number; readonly isHexadecimal: boolean }[];
  /** Functions that compute the digits of a node, by kind. A node of another kind has as many digits as its largest part. */
  readonly #byKind: Readonly<Record<string, (found: Found) => number>> = {
    ival: countConstantDigits,
    fval: countConstantDigits,
    sval: countConstantDigits,
    bsval: countConstantDigits,
    A_ArrayExpr: sumParts,
    A_Expr: (found) => (isJoined(found.node) ? sumParts(found) : maxPart(found)),
    ColumnRef: ({ node }) => this.findColumnSize(node) ?? STORED_DIGITS,
    FuncCall: ({ node, sizes }) => this.#measureResult(node, sizes),
    JsonArrayAgg: () => MAX_DIGITS,
    JsonArrayConstructor: sumParts,
    JsonArrayQueryConstructor: () => MAX_DIGITS,
    JsonObjectAgg: () => MAX_DIGITS,
    JsonObjectConstructor: sumParts,
    ParamRef: ({ node }) => this.#params[Number(node.fields['number'] ?? 0) - 1]?.digits ?? 0,
    RowExpr: sumParts,
    SelectStmt: ({ node }) => this.select(node.fields).reduce((most, { size }) => Math.max(most, size), 1),
    SubLink: (found) => (found.node.fields['subLinkType'] === 'ARRAY_SUBLINK' ? MAX_DIGITS : maxPart(found)),
    TypeCast: ({ node, sizes }) => measureCast(toFields(node.fields['typeName']), findLargest(node.fields['arg'], sizes)),
    XmlExpr: sumParts,
  };
  readonly #origins = new Map<unknown, Origin>();
  #steps = 0;

  constructor(literals: LiteralSizes, params: Params) {
    super();
    this.#literals = literals;
    this.#params = params.map((text) => ({ digits: countDigits(text ?? ''), isHexadecimal: mayBeHexadecimal(text) }));
  }

  protected override measure(part: SyntaxNode): number {
    const nodes = collectNodes(part, ({ kind }) => kind !== 'SelectStmt');
    const sizes = new Map<unknown, number>();
    // The list contains each node before its parts, so the reversed order measures the parts first.
    for (const node of nodes.toReversed()) {
      const isDefined = node.kind === 'ColumnRef' && this.findColumnSize(node) !== undefined;
      const origin = findOrigin(node, isDefined, this.#origins);
      if (origin !== DATA) this.#origins.set(node.fields, origin);
      sizes.set(node.fields, Math.min(MAX_DIGITS, this.#measureNode(node, sizes)));
    }
    return sizes.get(part.fields) ?? 1;
  }

  protected override toOuterColumns(columns: Columns): Columns {
    return columns;
  }

  /** Each iteration of a recursive query may double the length of a number, so the maximum length is assumed. */
  protected override repeatColumns(columns: Columns): Columns {
    return columns.map((column) => ({ ...column, size: MAX_DIGITS }));
  }

  protected override rowSize({ largest: most }: { readonly largest: number }): number {
    return most;
  }

  #measureNode(node: SyntaxNode, sizes: Sizes): number {
    if (this.#origins.get(node.fields)?.machine !== undefined && OPERATING.has(node.kind)) return WORD_DIGITS;
    if (parsesNumbers(node)) this.#parse(node, sizes);
    const operation = findOperation(node);
    if (operation !== undefined) return this.#compute(operation, getOperands(node), sizes);
    const digits = Object.hasOwn(this.#byKind, node.kind) ? this.#byKind[node.kind] : undefined;
    return (digits ?? maxPart)({ node, sizes });
  }

  #measureResult(call: SyntaxNode, sizes: Sizes): number {
    const args = toList(call.fields['args']);
    const count = this.#literals.evaluateConstant(args[1]);
    return countResultDigits(call, { sizes: args.map((arg) => findLargest(arg, sizes)), count });
  }

  #compute(operation: Operation, operands: readonly unknown[], sizes: Sizes): number {
    const [left, right = left] = operands;
    const { digits, steps } = operation(findLargest(left, sizes), {
      digits: findLargest(right, sizes),
      value: () => this.#literals.evaluateConstant(right),
      isData: this.#origins.get(right)?.isData !== false,
    });
    this.#spend(steps);
    return digits;
  }

  #parse(node: SyntaxNode, sizes: Sizes): void {
    const [text] = node.kind === 'TypeCast' ? [node.fields['arg']] : [undefined];
    if (text !== undefined && this.#isDecimal(text)) return;
    const digits = text === undefined ? maxPart({ node, sizes }) : findLargest(text, sizes);
    this.#spend(countSteps(digits, digits));
  }

  /** Whether an argument is a constant that PostgreSQL parses in linear time. */
  #isDecimal(argument: unknown): boolean {
    const constant = toNode(argument);
    if (constant?.kind === 'ParamRef') return this.#params[Number(constant.fields['number'] ?? 0) - 1]?.isHexadecimal !== true;
    return constant?.kind === 'A_Const' && !mayBeHexadecimal(toFields(constant.fields['sval'])['sval']);
  }

  #spend(steps: number): void {
    this.#steps += steps;
    if (this.#steps > STATEMENT_STEPS) throw tooLong();
  }
}

const OPERATING: ReadonlySet<string> = new Set(['A_Expr', 'FuncCall']);

/** Whether a node concatenates texts, so that the result has the digits of both texts. */
function isJoined({ kind, fields }: SyntaxNode): boolean {
  return kind === 'A_Expr' && getLastName(fields['name']) === '||';
}

function findLargest(value: unknown, sizes: Sizes): number {
  if (Array.isArray(value)) return value.reduce((most: number, item) => Math.max(most, findLargest(item, sizes)), 0);
  return sizes.get(value) ?? 0;
}

function maxPart({ node, sizes }: Found): number {
  return Math.max(1, findLargest(Object.values(node.fields), sizes));
}

function sumParts({ node, sizes }: Found): number {
  return flattenFields(node.fields).reduce((sum: number, part) => sum + findLargest(part, sizes), 1);
}

function countConstantDigits({ node: { kind, fields } }: Found): number {
  const value = fields[kind];
  return typeof value === 'number' || typeof value === 'string' ? countDigits(String(value)) : 1;
}

function measureCast({ names, ...type }: Fields, digits: number): number {
  const name = getLastName(names);
  if (WORDS.has(name)) return WORD_DIGITS;
  if (name === 'numeric' && type['typmods'] !== undefined) return Math.min(digits, getWidth(type));
  return PADDED.has(name) ? Math.max(digits, getWidth(type)) : digits;
}

function tooLong(): ToolError {
  return new ToolError('POLICY_DENIED', 'the statement computes with very long numbers, which PostgreSQL cannot interrupt', {
    hint: 'compute with double precision or numbers of fewer digits, or in several statements; the operator may allow it with --policy off',
    data: { rule: 'numeric-cost', name: 'numeric', option: '--policy off' },
  });
}

/** Facts about a number from the text of a statement. */
interface Origin {
  /** `undefined` if the result may be `numeric`; otherwise the machine type of the result. */
  readonly machine: 'float' | 'integer' | undefined;
  /** Whether the number is computed only with operators, from constants and columns of tables. */
  readonly isData: boolean;
}

type Origins = ReadonlyMap<unknown, Origin>;

/**
 * Determines the origin of a node from the origins of its parts.
 *
 * @param isDefined whether the node is a column that a subquery defines
 */
function findOrigin(node: SyntaxNode, isDefined: boolean, origins: Origins): Origin {
  const isData =
    !isDefined && !COMPUTED.has(node.kind) && flattenFields(node.fields).every((part) => origins.get(part)?.isData !== false);
  const machine = findMachineType(node, origins);
  return isData && machine === undefined ? DATA : { machine, isData };
}

/**
 * The default origin: a value that may be `numeric`, computed from constants and columns of tables. Nodes with this origin are not
 * stored.
 */
const DATA: Origin = { machine: undefined, isData: true };

const COMPUTED: ReadonlySet<string> = new Set(['FuncCall', 'SubLink', 'SelectStmt', 'SQLValueFunction']);

const TYPES: Readonly<Record<string, Origin['machine']>> = {
  float4: 'float',
  float8: 'float',
  int2: 'integer',
  int4: 'integer',
  int8: 'integer',
};

function findMachineType({ kind, fields }: SyntaxNode, origins: Origins): Origin['machine'] {
  if (kind === 'A_Const') return 'ival' in fields ? 'integer' : undefined;
  if (kind === 'TypeCast') return origins.get(fields['typeName'])?.machine;
  if (kind === 'typeName') return toMachineType(fields);
  if (kind === 'A_Expr') return fields['kind'] === 'AEXPR_OP' ? findOperatorType(fields, origins) : undefined;
  if (kind === 'FuncCall') return findCallType(fields, origins);
  return findWrappedType(fields, origins);
}

function toMachineType(type: SyntaxNode['fields']): Origin['machine'] {
  const name = getLastName(type['names']);
  return 'arrayBounds' in type || !Object.hasOwn(TYPES, name) ? undefined : TYPES[name];
}

/**
 * Returns the machine type of a node that consists of one child node, such as `{ TypeCast: {…} }`; `undefined` for any other
 * node.
 */
function findWrappedType(fields: SyntaxNode['fields'], origins: Origins): Origin['machine'] {
  let only: unknown;
  for (const name of Object.keys(fields)) {
    if (only !== undefined || !/^[A-Z]/.test(name)) return undefined;
    only = fields[name];
  }
  return origins.get(only)?.machine;
}

const ARITHMETIC: ReadonlySet<string> = new Set(['+', '-', '*', '/', '%', '^']);

function findOperatorType({ name, lexpr, rexpr }: SyntaxNode['fields'], origins: Origins): Origin['machine'] {
  const operator = getLastName(name);
  if (!ARITHMETIC.has(operator)) return undefined;
  const sides = [lexpr, rexpr].filter((side) => side !== undefined).map((side) => origins.get(side)?.machine);
  // Double precision is the preferred type of numbers, so PostgreSQL converts the other operand.
  if (sides.includes('float')) return 'float';
  return sides.includes(undefined) ? undefined : operator === '^' ? 'float' : 'integer';
}

/** Functions that have one form for double precision and one for `numeric`, and the number of arguments of both forms. */
const FLOAT_FUNCTIONS: Readonly<Record<string, number>> = { power: 2, pow: 2, exp: 1, ln: 1, log: 1, log10: 1, sqrt: 1 };

function findCallType({ funcname, args }: SyntaxNode['fields'], origins: Origins): Origin['machine'] {
  const name = getLastName(funcname);
  const given = Array.isArray(args) ? args.map((arg: unknown) => origins.get(arg)?.machine) : [];
  if (!Object.hasOwn(FLOAT_FUNCTIONS, name) || FLOAT_FUNCTIONS[name] !== given.length) return undefined;
  return given.includes('float') || !given.includes(undefined) ? 'float' : undefined;
}
