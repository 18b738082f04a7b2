import { getLastName, toList, type SyntaxNode } from '../parse/syntax-tree.ts';

/** Maximum number of digits before the decimal point of a `numeric`. */
export const MAX_DIGITS = 131_072;
/** Assumed maximum number of digits of values in tables and of function results. */
export const STORED_DIGITS = 1000;
/** Assumed number of digits of the result of an exponential, a logarithm or a root. */
const COMPUTED_DIGITS = 4000;

/** Number of digit pairs that PostgreSQL multiplies in one step, because PostgreSQL computes with groups of four digits. */
const GROUPS = 4 * 4;
/** Number of steps of the largest product that does not overflow. Such a product takes 0.3–0.5 s. */
const MAX_STEPS = (MAX_DIGITS / 2) ** 2 / GROUPS;
/** Assumed steps of a power with an unknown exponent, about half of the maximum. */
const POWER_STEPS = 1e9;
/** Assumed steps of a power whose exponent comes from columns of tables. Tables rarely contain large exponents. */
const STORED_POWER_STEPS = 3e8;
/** An exponent with more digits is treated as unknown. */
const EXPONENT_DIGITS = 6;

/** The right operand of an operation, or the only operand of an operation such as a factorial. */
interface RightOperand {
  readonly digits: number;
  /** Upper bound of the value, or `undefined` if the value may depend on rows. */
  readonly value: () => number | undefined;
  /** Whether the value is computed only from constants and columns of tables. */
  readonly isData: boolean;
}

/** Computes an upper bound of the digits of an operation's result, and the number of steps of the operation. */
export type Operation = (left: number, right: RightOperand) => { readonly digits: number; readonly steps: number };

const multiply: Operation = (left, right) => ({ digits: left + right.digits, steps: countSteps(left, right.digits) });

/** A remainder needs a quotient and the product of quotient and divisor. */
const remainder: Operation = (left, { digits }) => ({ digits: Math.max(left, digits), steps: 3 * countSteps(left, digits) });

/** An aggregate such as a variance squares each value. */
const square: Operation = (left) => ({ digits: 2 * left, steps: countSteps(left, left) });

/** PostgreSQL computes a power by repeated squaring; the last squares are as long as the result. */
const power: Operation = (base, right) => {
  const exponent = right.value();
  if (exponent !== undefined) return raiseToPower(base, exponent);
  const unknown = { digits: MAX_DIGITS, steps: right.isData ? STORED_POWER_STEPS : POWER_STEPS };
  if (right.digits > EXPONENT_DIGITS) return unknown;
  const { digits, steps } = raiseToPower(base, 10 ** right.digits);
  return { digits, steps: Math.min(steps, unknown.steps) };
};

function raiseToPower(base: number, exponent: number): ReturnType<Operation> {
  const digits = Math.min(MAX_DIGITS, base * exponent + COMPUTED_DIGITS / GROUPS);
  return { digits, steps: exponent <= 2 ? countSteps(base, base) : (2 * digits ** 2) / GROUPS };
}

/**
 * A factorial counts no steps, because PostgreSQL checks for interrupts while it computes the factorial. Its result may be a long
 * operand of a product.
 */
const factorial: Operation = (_, { value }) => ({ digits: Math.min(MAX_DIGITS, 5 * (value() ?? MAX_DIGITS)), steps: 0 });

const series: Operation = (left) => ({ digits: COMPUTED_DIGITS, steps: countSteps(left, left) });

const OPERATORS: Readonly<Record<string, Operation>> = {
  '*': multiply,
  '/': multiply,
  '%': remainder,
  '^': power,
  '!!': factorial,
};

const FUNCTIONS: Readonly<Record<string, Operation>> = {
  ...operations('div gcd lcm numeric_mul numeric_div numeric_div_trunc width_bucket', multiply),
  ...operations('mod numeric_mod', remainder),
  ...operations('power pow numeric_power', power),
  ...operations('factorial numeric_fac', factorial),
  ...operations('variance var_pop var_samp stddev stddev_pop stddev_samp', square),
  ...operations('exp ln log log10 sqrt numeric_exp numeric_ln numeric_log numeric_log10 numeric_sqrt', series),
};

function operations(names: string, operation: Operation): Readonly<Record<string, Operation>> {
  return Object.fromEntries(names.split(' ').map((name) => [name, operation]));
}

/** Returns the operation of a node that PostgreSQL does not interrupt for long numbers. */
export function findOperation({ kind, fields }: SyntaxNode): Operation | undefined {
  if (kind === 'A_Expr') return fields['kind'] === 'AEXPR_OP' ? lookUp(OPERATORS, getLastName(fields['name'])) : undefined;
  return kind === 'FuncCall' ? lookUp(FUNCTIONS, getLastName(fields['funcname'])) : undefined;
}

function lookUp(table: Readonly<Record<string, Operation>>, name = ''): Operation | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

export function getOperands({ kind, fields }: SyntaxNode): readonly unknown[] {
  return kind === 'FuncCall' ? toList(fields['args']) : [fields['lexpr'], fields['rexpr']].filter((side) => side !== undefined);
}

export function countSteps(left: number, right: number): number {
  return Math.min(MAX_STEPS, (left * right) / GROUPS);
}
