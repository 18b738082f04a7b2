import { ToolError } from '@org/mcp-decorators';

import { tooDeep } from './bounds.ts';
import { ColumnSizes, type Columns } from './column-sizes.ts';
import { partsOf, type LiteralSizes, type Params } from './literal-sizes.ts';
import { MOST_DIGITS, operandsOf, operationOf, stepsOf, STORED_DIGITS, type Operation } from './number-operations.ts';
import { DATA, originOf, type Origin } from './number-origins.ts';
import { digitsIn, digitsOfResult, mayBeHexadecimal, parsesNumbers, WORDS } from './number-texts.ts';
import { PADDED } from './planned-size.ts';
import { fieldsOf, listOf, lastNameIn, nodeOf, nodesOf, widthIn, type Fields, type SyntaxNode } from './syntax-tree.ts';

/** Digits of a machine number: integers, double precision. */
const WORD_DIGITS = 20;
/** Maximum number of uninterruptible steps of a statement; takes 4–6 s. */
const STATEMENT_STEPS = 4e9;

/** Whether some of the nodes are operations that PostgreSQL does not interrupt for long numbers. */
export function hasProducts(nodes: readonly SyntaxNode[]): boolean {
  return nodes.some((node) => operationOf(node) !== undefined || parsesNumbers(node));
}

/**
 * Rejects a statement whose products of long numbers could take longer than a few seconds. PostgreSQL checks for a cancel or a
 * timeout between rows, but not during a product.
 *
 * @throws ToolError POLICY_DENIED or TOO_LARGE
 */
export function requireModestNumbers(statement: SyntaxNode, literals: LiteralSizes, params: Params): void {
  try {
    new NumericCost(literals, params).statement(statement);
  } catch (error) {
    throw error instanceof RangeError ? tooDeep(error) : error;
  }
}

/** Digits of nodes; the keys are the fields of the nodes. */
type Sizes = ReadonlyMap<unknown, number>;

/** A node with the sizes of its parts. */
interface Found {
  readonly node: SyntaxNode;
  readonly sizes: Sizes;
}

/** Measures the maximum number of digits of values as numbers. */
class NumericCost extends ColumnSizes {
  protected override readonly stored: number = STORED_DIGITS;
  readonly #literals: LiteralSizes;
  /** Each parameter is measured once, because a statement may use a parameter many times. */
  readonly #params: readonly { readonly digits: number; readonly isHexadecimal: boolean }[];
  /** Sizes of kinds of nodes that differ from the size of their largest part. */
  readonly #byKind: Readonly<Record<string, (found: Found) => number>> = {
    ival: constantDigits,
    fval: constantDigits,
    sval: constantDigits,
    bsval: constantDigits,
    A_ArrayExpr: totalOfParts,
    A_Expr: (found) => (isJoined(found.node) ? totalOfParts(found) : mostOfParts(found)),
    ColumnRef: ({ node }) => this.sizeOfColumn(node) ?? STORED_DIGITS,
    FuncCall: ({ node, sizes }) => this.#result(node, sizes),
    JsonArrayAgg: () => MOST_DIGITS,
    JsonArrayConstructor: totalOfParts,
    JsonArrayQueryConstructor: () => MOST_DIGITS,
    JsonObjectAgg: () => MOST_DIGITS,
    JsonObjectConstructor: totalOfParts,
    ParamRef: ({ node }) => this.#params[Number(node.fields['number'] ?? 0) - 1]?.digits ?? 0,
    RowExpr: totalOfParts,
    SelectStmt: ({ node }) => this.select(node.fields).reduce((most, { size }) => Math.max(most, size), 1),
    SubLink: (found) => (found.node.fields['subLinkType'] === 'ARRAY_SUBLINK' ? MOST_DIGITS : mostOfParts(found)),
    TypeCast: ({ node, sizes }) => cast(fieldsOf(node.fields['typeName']), largest(node.fields['arg'], sizes)),
    XmlExpr: totalOfParts,
  };
  readonly #origins = new Map<unknown, Origin>();
  #steps = 0;

  constructor(literals: LiteralSizes, params: Params) {
    super();
    this.#literals = literals;
    this.#params = params.map((text) => ({ digits: digitsIn(text ?? ''), isHexadecimal: mayBeHexadecimal(text) }));
  }

  protected override measure(part: SyntaxNode): number {
    const nodes = nodesOf(part, ({ kind }) => kind !== 'SelectStmt');
    const sizes = new Map<unknown, number>();
    // The parts of a node follow the node, so the reversed order measures the parts first.
    for (const node of nodes.toReversed()) {
      const isDefined = node.kind === 'ColumnRef' && this.sizeOfColumn(node) !== undefined;
      const origin = originOf(node, isDefined, this.#origins);
      if (origin !== DATA) this.#origins.set(node.fields, origin);
      sizes.set(node.fields, Math.min(MOST_DIGITS, this.#digitsOf(node, sizes)));
    }
    return sizes.get(part.fields) ?? 1;
  }

  protected override seenOutside(columns: Columns): Columns {
    return columns;
  }

  /** Each round of a recursion may double the length of a number. */
  protected override repeated(columns: Columns): Columns {
    return columns.map((column) => ({ ...column, size: MOST_DIGITS }));
  }

  protected override rowSize({ largest: most }: { readonly largest: number }): number {
    return most;
  }

  #digitsOf(node: SyntaxNode, sizes: Sizes): number {
    if (this.#origins.get(node.fields)?.machine !== undefined && OPERATING.has(node.kind)) return WORD_DIGITS;
    if (parsesNumbers(node)) this.#parse(node, sizes);
    const operation = operationOf(node);
    if (operation !== undefined) return this.#compute(operation, operandsOf(node), sizes);
    const digits = Object.hasOwn(this.#byKind, node.kind) ? this.#byKind[node.kind] : undefined;
    return (digits ?? mostOfParts)({ node, sizes });
  }

  #result(call: SyntaxNode, sizes: Sizes): number {
    const args = listOf(call.fields['args']);
    const count = this.#literals.constantIn(args[1]);
    return digitsOfResult(call, { sizes: args.map((arg) => largest(arg, sizes)), count });
  }

  #compute(operation: Operation, operands: readonly unknown[], sizes: Sizes): number {
    const [left, right = left] = operands;
    const { digits, steps } = operation(largest(left, sizes), {
      digits: largest(right, sizes),
      value: () => this.#literals.constantIn(right),
      isData: this.#origins.get(right)?.isData !== false,
    });
    this.#spend(steps);
    return digits;
  }

  #parse(node: SyntaxNode, sizes: Sizes): void {
    const [text] = node.kind === 'TypeCast' ? [node.fields['arg']] : [undefined];
    if (text !== undefined && this.#isDecimal(text)) return;
    const digits = text === undefined ? mostOfParts({ node, sizes }) : largest(text, sizes);
    this.#spend(stepsOf(digits, digits));
  }

  /** Whether an argument is a constant that PostgreSQL parses in linear time. */
  #isDecimal(argument: unknown): boolean {
    const constant = nodeOf(argument);
    if (constant?.kind === 'ParamRef') return this.#params[Number(constant.fields['number'] ?? 0) - 1]?.isHexadecimal !== true;
    return constant?.kind === 'A_Const' && !mayBeHexadecimal(fieldsOf(constant.fields['sval'])['sval']);
  }

  #spend(steps: number): void {
    this.#steps += steps;
    if (this.#steps > STATEMENT_STEPS) throw tooLong();
  }
}

const OPERATING: ReadonlySet<string> = new Set(['A_Expr', 'FuncCall']);

/** Whether a node concatenates texts, so that the lengths of its parts add up. */
function isJoined({ kind, fields }: SyntaxNode): boolean {
  return kind === 'A_Expr' && lastNameIn(fields['name']) === '||';
}

function largest(value: unknown, sizes: Sizes): number {
  if (Array.isArray(value)) return value.reduce((most: number, item) => Math.max(most, largest(item, sizes)), 0);
  return sizes.get(value) ?? 0;
}

function mostOfParts({ node, sizes }: Found): number {
  return Math.max(1, largest(Object.values(node.fields), sizes));
}

function totalOfParts({ node, sizes }: Found): number {
  return partsOf(node.fields).reduce((sum: number, part) => sum + largest(part, sizes), 1);
}

function constantDigits({ node: { kind, fields } }: Found): number {
  const value = fields[kind];
  return typeof value === 'number' || typeof value === 'string' ? digitsIn(String(value)) : 1;
}

function cast({ names, ...type }: Fields, digits: number): number {
  const name = lastNameIn(names);
  if (WORDS.has(name)) return WORD_DIGITS;
  if (name === 'numeric' && type['typmods'] !== undefined) return Math.min(digits, widthIn(type));
  return PADDED.has(name) ? Math.max(digits, widthIn(type)) : digits;
}

function tooLong(): ToolError {
  return new ToolError(
    'POLICY_DENIED',
    'the statement computes with numbers of so many digits that PostgreSQL could not be interrupted',
    {
      hint: 'compute with double precision or numbers of fewer digits, or in several statements; the operator may allow it with --policy off',
      data: { rule: 'numeric-cost', name: 'numeric', option: '--policy off' },
    },
  );
}
