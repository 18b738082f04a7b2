import { lastNameIn, listOf, type SyntaxNode } from './syntax-tree.ts';

/** Maximum number of digits before the decimal point. */
export const MOST_DIGITS = 131_072;
/** Assumed maximum number of digits of values in tables and of function results. */
export const STORED_DIGITS = 1000;
/** Digits of the result of an exponential, a logarithm or a root. */
const COMPUTED_DIGITS = 4000;

/** PostgreSQL computes with groups of four digits. The number of steps of a product is the product of both group counts. */
const GROUPS = 4 * 4;
/** Steps of the largest product that does not overflow; takes 0.3–0.5 s. */
const MOST_STEPS = (MOST_DIGITS / 2) ** 2 / GROUPS;
/** Assumed steps of a power with an unknown exponent, near the maximum. */
const POWER_STEPS = 1e9;
/** The same if the exponent comes from columns of tables, where exponents with so many steps are rare. */
const STORED_POWER_STEPS = 3e8;
/** An exponent with more digits is as good as unknown. */
const EXPONENT_DIGITS = 6;

/** The right operand of an operation, which is the only operand of a factorial. */
interface RightOperand {
  readonly digits: number;
  /** Upper bound of the value, or `undefined` if the value may depend on rows. */
  readonly value: () => number | undefined;
  /** Whether the value depends on columns of tables only. */
  readonly isData: boolean;
}

/** Computes the digits of the result of an operation, and its number of steps. */
export type Operation = (left: number, right: RightOperand) => { readonly digits: number; readonly steps: number };

const multiplied: Operation = (left, right) => ({ digits: left + right.digits, steps: stepsOf(left, right.digits) });

/** Computes the quotient and its product with the divisor. */
const remainder: Operation = (left, { digits }) => ({ digits: Math.max(left, digits), steps: 3 * stepsOf(left, digits) });

/** Computes the square of each value. */
const squared: Operation = (left) => ({ digits: 2 * left, steps: stepsOf(left, left) });

/** Computes by repeated squaring; the last squares are as long as the result. */
const power: Operation = (base, right) => {
  const exponent = right.value();
  if (exponent !== undefined) return raised(base, exponent);
  const unknown = { digits: MOST_DIGITS, steps: right.isData ? STORED_POWER_STEPS : POWER_STEPS };
  if (right.digits > EXPONENT_DIGITS) return unknown;
  const { digits, steps } = raised(base, 10 ** right.digits);
  return { digits, steps: Math.min(steps, unknown.steps) };
};

function raised(base: number, exponent: number): ReturnType<Operation> {
  const digits = Math.min(MOST_DIGITS, base * exponent + COMPUTED_DIGITS / GROUPS);
  return { digits, steps: exponent <= 2 ? stepsOf(base, base) : (2 * digits ** 2) / GROUPS };
}

/** PostgreSQL checks for interrupts during a factorial, but not during a product with its result. */
const factorial: Operation = (_, { value }) => ({ digits: Math.min(MOST_DIGITS, 5 * (value() ?? MOST_DIGITS)), steps: 0 });

const series: Operation = (left) => ({ digits: COMPUTED_DIGITS, steps: stepsOf(left, left) });

const OPERATORS: Readonly<Record<string, Operation>> = {
  '*': multiplied,
  '/': multiplied,
  '%': remainder,
  '^': power,
  '!!': factorial,
};

const FUNCTIONS: Readonly<Record<string, Operation>> = {
  ...operations('div gcd lcm numeric_mul numeric_div numeric_div_trunc width_bucket', multiplied),
  ...operations('mod numeric_mod', remainder),
  ...operations('power pow numeric_power', power),
  ...operations('factorial numeric_fac', factorial),
  ...operations('variance var_pop var_samp stddev stddev_pop stddev_samp', squared),
  ...operations('exp ln log log10 sqrt numeric_exp numeric_ln numeric_log numeric_log10 numeric_sqrt', series),
};

function operations(names: string, operation: Operation): Readonly<Record<string, Operation>> {
  return Object.fromEntries(names.split(' ').map((name) => [name, operation]));
}

/** Returns the operation of a node that PostgreSQL does not interrupt for long numbers. */
export function operationOf({ kind, fields }: SyntaxNode): Operation | undefined {
  if (kind === 'A_Expr') return fields['kind'] === 'AEXPR_OP' ? of(OPERATORS, lastNameIn(fields['name'])) : undefined;
  return kind === 'FuncCall' ? of(FUNCTIONS, lastNameIn(fields['funcname'])) : undefined;
}

function of(table: Readonly<Record<string, Operation>>, name = ''): Operation | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

export function operandsOf({ kind, fields }: SyntaxNode): readonly unknown[] {
  return kind === 'FuncCall' ? listOf(fields['args']) : [fields['lexpr'], fields['rexpr']].filter((side) => side !== undefined);
}

export function stepsOf(left: number, right: number): number {
  return Math.min(MOST_STEPS, (left * right) / GROUPS);
}
