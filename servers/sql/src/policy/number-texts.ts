import { MOST_DIGITS, STORED_DIGITS } from './number-operations.ts';
import { fieldsOf, lastNameIn, type SyntaxNode } from './syntax-tree.ts';

/** Types whose values are machine numbers. */
export const WORDS: ReadonlySet<string> = new Set(
  'bool int2 int4 int8 float4 float8 oid money date time timestamp timestamptz interval'.split(' '),
);

/** Types to which PostgreSQL converts a text without parsing a number. */
const UNPARSED: ReadonlySet<string> = new Set([
  ...WORDS,
  ...'text varchar bpchar char name cstring json jsonb xml bytea bit varbit uuid inet cidr regclass regtype tsvector tsquery'.split(
    ' ',
  ),
]);

/** Functions that parse the numbers in a text or a document. */
const PARSING = /^(?:numeric|decimal|\w+_in|pg_input_\w+|jsonb?_(?:to|populate)_record(?:set)?(?:_valid)?)$/;

/** Whether a part of a statement converts a text to a number. The time is quadratic in the number of hexadecimal digits. */
export function parsesNumbers({ kind, fields }: SyntaxNode): boolean {
  if (kind === 'TypeCast') return !UNPARSED.has(lastNameIn(fieldsOf(fields['typeName'])['names']));
  if (kind === 'FuncCall') return PARSING.test(lastNameIn(fields['funcname']));
  return PARSERS.has(kind);
}

const PARSERS: ReadonlySet<string> = new Set(['RangeTableFunc', 'JsonTable', 'JsonFuncExpr']);

/** Whether a text contains a hexadecimal, octal or binary number. */
export function mayBeHexadecimal(value: unknown): boolean {
  return typeof value === 'string' && /0[box]/i.test(value);
}

/** Returns the digits of a text or a number: its length plus its largest exponent. */
export function digitsIn(text: string): number {
  const exponents = (text.match(/e[+-]?\d{1,7}/gi) ?? []).map((found) => Math.abs(Number(found.slice(1))));
  return text.length + exponents.reduce((most, exponent) => Math.max(most, exponent), 0);
}

/** Arguments of a function call, as digits. */
interface Arguments {
  readonly sizes: readonly number[];
  /** Value of the second argument, if the value is constant. */
  readonly count: number | undefined;
}

/** Digits of the results of functions that may return longer texts than they are given. */
const RESULTS: Readonly<Record<string, (args: Arguments) => number>> = {
  repeat: ({ sizes: [text = 0], count = MOST_DIGITS }) => count * text,
  lpad: ({ count = MOST_DIGITS }) => count,
  rpad: ({ count = MOST_DIGITS }) => count,
  replace: ({ sizes: [text = 0, , by = 0] }) => text * Math.max(1, by),
  array_replace: ({ sizes: [array = 0, , by = 0] }) => array * Math.max(1, by),
  // An empty match before each character and at the end may be replaced, too, and `\&` repeats what was found.
  regexp_replace: ({ sizes: [text = 0, , by = 0] }) => 2 * (text + 1) * Math.max(1, by),
  concat_ws: ({ sizes }) => sizes.reduce((sum, size) => sum + size + (sizes[0] ?? 0), 0),
  encode: ({ sizes: [bytes = 0] }) => 4 * bytes,
  quote_literal: ({ sizes: [text = 0] }) => 2 * text + 2,
  quote_nullable: ({ sizes: [text = 0] }) => 2 * text + 2,
  quote_ident: ({ sizes: [text = 0] }) => 2 * text + 2,
  generate_series: ({ sizes }) => Math.max(...sizes, 1),
};

/** Functions whose result, parsed as a number, may have any number of digits. */
const UNBOUNDED =
  /^(?:string_agg|array_agg|jsonb?_(?:object_)?agg(?:_\w+)?|xmlagg|array_to_string|array_fill|current_query|format)$/;

/** Returns the maximum number of digits of the result of a function, as a number. */
export function digitsOfResult(call: SyntaxNode, args: Arguments): number {
  const name = lastNameIn(call.fields['funcname']);
  if (UNBOUNDED.test(name)) return MOST_DIGITS;
  const known = Object.hasOwn(RESULTS, name) ? RESULTS[name] : undefined;
  return (
    known?.(args) ??
    Math.max(
      STORED_DIGITS,
      args.sizes.reduce((sum, size) => sum + size, 1),
    )
  );
}
