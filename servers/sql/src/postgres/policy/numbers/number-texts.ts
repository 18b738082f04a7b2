import { MAX_DIGITS, STORED_DIGITS } from './number-operations.ts';
import { toFields, getLastName, type SyntaxNode } from '../parse/syntax-tree.ts';

/** Types whose values have a fixed size, so that their texts have few digits. */
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

/** Functions that parse a text, or the numbers in a document, as numbers. */
const PARSING = /^(?:numeric|decimal|\w+_in|pg_input_\w+|jsonb?_(?:to|populate)_record(?:set)?(?:_valid)?)$/;

/** Whether a part of a statement converts a text to a number. Parsing takes quadratic time in the number of hexadecimal digits. */
export function parsesNumbers({ kind, fields }: SyntaxNode): boolean {
  if (kind === 'TypeCast') return !UNPARSED.has(getLastName(toFields(fields['typeName'])['names']));
  if (kind === 'FuncCall') return PARSING.test(getLastName(fields['funcname']));
  return PARSERS.has(kind);
}

const PARSERS: ReadonlySet<string> = new Set(['RangeTableFunc', 'JsonTable', 'JsonFuncExpr']);

/** Whether a text may contain a hexadecimal, octal or binary number. */
export function mayBeHexadecimal(value: unknown): boolean {
  return typeof value === 'string' && /0[box]/i.test(value);
}

/** Returns the maximum number of digits of a text as a number: the length of the text plus the largest exponent in the text. */
export function countDigits(text: string): number {
  const exponents = (text.match(/e[+-]?\d{1,7}/gi) ?? []).map((found) => Math.abs(Number(found.slice(1))));
  return text.length + exponents.reduce((most, exponent) => Math.max(most, exponent), 0);
}

/** Numbers of digits of the arguments of a function call. */
interface Arguments {
  readonly sizes: readonly number[];
  /** Value of the second argument; `undefined` if the value is not constant. */
  readonly count: number | undefined;
}

/** Maximum number of digits of the result of an SQL function, for functions whose result may be longer than their arguments. */
const RESULTS: Readonly<Record<string, (args: Arguments) => number>> = {
  repeat: ({ sizes: [text = 0], count = MAX_DIGITS }) => count * text,
  lpad: ({ count = MAX_DIGITS }) => count,
  rpad: ({ count = MAX_DIGITS }) => count,
  replace: ({ sizes: [text = 0, , by = 0] }) => text * Math.max(1, by),
  array_replace: ({ sizes: [array = 0, , by = 0] }) => array * Math.max(1, by),
  // The pattern may match before each character and at the end. In the replacement, `\&` repeats the match.
  regexp_replace: ({ sizes: [text = 0, , by = 0] }) => 2 * (text + 1) * Math.max(1, by),
  concat_ws: ({ sizes }) => sizes.reduce((sum, size) => sum + size + (sizes[0] ?? 0), 0),
  encode: ({ sizes: [bytes = 0] }) => 4 * bytes,
  quote_literal: ({ sizes: [text = 0] }) => 2 * text + 2,
  quote_nullable: ({ sizes: [text = 0] }) => 2 * text + 2,
  quote_ident: ({ sizes: [text = 0] }) => 2 * text + 2,
  generate_series: ({ sizes }) => Math.max(...sizes, 1),
};

/** Functions whose result may contain any number of digits. */
const UNBOUNDED =
  /^(?:string_agg|array_agg|jsonb?_(?:object_)?agg(?:_\w+)?|xmlagg|array_to_string|array_fill|current_query|format)$/;

/** Returns the maximum number of digits in the result of a function. */
export function countResultDigits(call: SyntaxNode, args: Arguments): number {
  const name = getLastName(call.fields['funcname']);
  if (UNBOUNDED.test(name)) return MAX_DIGITS;
  const known = Object.hasOwn(RESULTS, name) ? RESULTS[name] : undefined;
  return (
    known?.(args) ??
    Math.max(
      STORED_DIGITS,
      args.sizes.reduce((sum, size) => sum + size, 1),
    )
  );
}
