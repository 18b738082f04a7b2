import { getName, toFields, toNode, toNodes, type Fields, type SyntaxNode } from '../../policy/parse/syntax-tree.ts';
import type { TableFacts } from './table-facts.ts';

/** A column or expression that an index of one table can have as key. */
export interface Key {
  readonly table: TableFacts;
  /** SQL of the key; an expression is in parentheses. */
  readonly sql: string;
  /** Type of the key, if known. */
  readonly type: string | undefined;
  /** Name of the column if the key is a bare column. */
  readonly column: string | undefined;
  readonly columns: readonly string[];
}

/** Finds the key to which the name of a column refers. */
export type Lookup = (names: readonly string[]) => Key | undefined;

/** Returns the key that a syntax node denotes, or `undefined` if the node is not a supported key. */
export function toKey(node: SyntaxNode | undefined, lookup: Lookup): Key | undefined {
  if (node === undefined) return undefined;
  const build = BUILDERS[node.kind];
  return build?.(node.fields, lookup);
}

/** Returns the SQL of a constant, or `undefined` for another expression. */
export function constantSql(node: SyntaxNode | undefined): string | undefined {
  if (node?.kind === 'TypeCast') {
    const value = constantSql(toNode(node.fields['arg']));
    const type = typeSql(node.fields['typeName']);
    return value === undefined || type === undefined ? undefined : `${value}::${type}`;
  }
  return node?.kind === 'A_Const' ? literalSql(node.fields) : undefined;
}

function literalSql({ sval, ival, fval, boolval }: Fields): string | undefined {
  if (sval !== undefined) return quoteText(readLiteral(sval, 'sval', ''));
  if (ival !== undefined) return readLiteral(ival, 'ival', '0');
  if (fval !== undefined) return readLiteral(fval, 'fval', '0');
  return boolval === undefined ? undefined : readLiteral(boolval, 'boolval', 'false');
}

/** Reads the value of a constant. The parser omits a value of zero, false, or no characters. */
function readLiteral(constant: unknown, name: string, missing: string): string {
  const value = toFields(constant)[name];
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : missing;
}

/** Returns the text of a string constant, or of the parameter that the node refers to. */
export function constantText(node: SyntaxNode | undefined, params: readonly (string | null)[]): string | undefined {
  if (node?.kind === 'TypeCast') return constantText(toNode(node.fields['arg']), params);
  if (node?.kind === 'ParamRef') return params[Number(node.fields['number']) - 1] ?? undefined;
  const { sval } = node?.kind === 'A_Const' ? node.fields : {};
  return sval === undefined ? undefined : readLiteral(sval, 'sval', '');
}

function quoteName(name: string): string {
  return /^[a-z_][a-z0-9_]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`;
}

/** Returns the key for a column of a table. Its SQL always quotes the name, which may be a reserved word. */
export function columnKey(table: TableFacts, column: string): Key {
  const sql = `"${column.replaceAll('"', '""')}"`;
  return { table, sql, type: table.columns.get(column)?.type, column, columns: [column] };
}

const BUILDERS: Readonly<Record<string, (fields: Fields, lookup: Lookup) => Key | undefined>> = {
  ColumnRef: ({ fields }, lookup) => lookup(getName(fields)),
  FuncCall: callKey,
  TypeCast: castKey,
  A_Expr: operatorKey,
  CoalesceExpr: ({ args }, lookup) => combine(toNodes(args), lookup, (parts) => `(coalesce(${parts.join(', ')}))`),
  CollateClause: ({ arg }, lookup) => toKey(toNode(arg), lookup),
};

/** Operators that may occur in an index: their functions are immutable, whatever the types of the operands are. */
const OPERATORS: ReadonlyMap<string, string | undefined> = new Map([
  ['->', 'jsonb'],
  ['->>', 'text'],
  ['#>', 'jsonb'],
  ['#>>', 'text'],
]);

function operatorKey({ kind, name, lexpr, rexpr }: Fields, lookup: Lookup): Key | undefined {
  const [operator = '', ...qualified] = getName(name);
  if (kind !== 'AEXPR_OP' || qualified.length > 0 || !OPERATORS.has(operator)) return undefined;
  const nodes = [toNode(lexpr), toNode(rexpr)].filter((node) => node !== undefined);
  const key = combine(nodes, lookup, (parts) => `(${parts.join(` ${operator} `)})`);
  return key && { ...key, type: OPERATORS.get(operator) };
}

/** Immutable functions of `pg_catalog`, with the type of the result. A user's function may do anything, so no key calls such a function. */
const FUNCTIONS: ReadonlyMap<string, string | undefined> = new Map([
  ...[
    'lower',
    'upper',
    'btrim',
    'ltrim',
    'rtrim',
    'left',
    'right',
    'md5',
    'replace',
    'reverse',
    'substr',
    'substring',
    'split_part',
    'translate',
  ].map((name) => [name, 'text'] as const),
  ...['length', 'char_length', 'abs', 'round', 'floor', 'ceil', 'mod', 'jsonb_array_length'].map(
    (name) => [name, undefined] as const,
  ),
  ['jsonb_extract_path_text', 'text'],
  ['to_tsvector', 'tsvector'],
]);
/** Functions that are immutable unless their result depends on the time zone. */
const ZONED: ReadonlySet<string> = new Set(['date_trunc', 'date_part', 'extract', 'date']);

function callKey(fields: Fields, lookup: Lookup): Key | undefined {
  const { funcname, args } = fields;
  const [name = '', schema = 'pg_catalog'] = getName(funcname).toReversed();
  if (schema !== 'pg_catalog' || AGGREGATED.some((clause) => fields[clause] !== undefined)) return undefined;
  const nodes = toNodes(args);
  const key = combine(nodes, lookup, (parts) => `(${name}(${parts.join(', ')}))`);
  return key && typeCall(name, nodes.length, key);
}

/** Fields of a call that an index expression cannot contain. */
const AGGREGATED = ['over', 'agg_star', 'agg_distinct', 'agg_filter', 'func_variadic'];

/** Returns the key of a call with its type, or `undefined` if the call is not immutable. */
function typeCall(name: string, count: number, key: Key): Key | undefined {
  if (name === 'timezone') {
    const type = zonedType(key);
    return type === undefined ? undefined : { ...key, type };
  }
  if (ZONED.has(name)) return isUnzoned(key) ? { ...key, type: name === 'date_trunc' ? key.type : undefined } : undefined;
  // With one argument, the result of to_tsvector depends on a setting.
  if (!FUNCTIONS.has(name) || (name === 'to_tsvector' && count < 2)) return undefined;
  return { ...key, type: FUNCTIONS.get(name) };
}

function isUnzoned({ type }: Key): boolean {
  return type === UNZONED;
}

const UNZONED = 'timestamp without time zone';

function zonedType(key: Key): string | undefined {
  if (key.type === 'timestamp with time zone') return UNZONED;
  return isUnzoned(key) ? 'timestamp with time zone' : undefined;
}

/** Types to which the cast of any value but a date or time is immutable. */
const CASTS: ReadonlySet<string> = new Set([
  'int2',
  'int4',
  'int8',
  'numeric',
  'float4',
  'float8',
  'text',
  'varchar',
  'bool',
  'uuid',
]);

function castKey({ arg, typeName }: Fields, lookup: Lookup): Key | undefined {
  const key = toKey(toNode(arg), lookup);
  const type = typeSql(typeName);
  if (key === undefined || type === undefined) return undefined;
  const name = getName(toFields(typeName)['names']).at(-1) ?? '';
  const isImmutable = name === 'date' ? isUnzoned(key) : CASTS.has(name) && !/^(date|time|interval)/.test(key.type ?? 'time');
  return isImmutable ? { ...key, sql: `(${key.sql}::${type})`, type: name, column: undefined } : undefined;
}

/**
 * Combines operands into one key. Returns `undefined` unless at least one operand is a key, and all others are constants or keys
 * of the same table.
 */
function combine(nodes: readonly SyntaxNode[], lookup: Lookup, format: (parts: readonly string[]) => string): Key | undefined {
  const keys: Key[] = [];
  const parts = nodes.map((node) => {
    const constant = constantSql(node);
    if (constant !== undefined) return constant;
    const key = toKey(node, lookup);
    if (key !== undefined) keys.push(key);
    return key?.sql;
  });
  const [first, ...others] = keys;
  if (first === undefined || others.some(({ table }) => table !== first.table)) return undefined;
  const known = parts.filter((part) => part !== undefined);
  if (known.length < parts.length) return undefined;
  const columns = [...new Set(keys.flatMap((key) => key.columns))];
  return { ...first, sql: format(known), column: undefined, columns };
}

function typeSql(value: unknown): string | undefined {
  const { names, typmods, arrayBounds } = toFields(value);
  const modifiers = toNodes(typmods).map(constantSql);
  if (modifiers.includes(undefined)) return undefined;
  const size = modifiers.length === 0 ? '' : `(${modifiers.join(', ')})`;
  const name = getName(names)
    .map(quoteName)
    .join('.')
    .replace(/^pg_catalog\./, '');
  return `${name}${size}${arrayBounds === undefined ? '' : '[]'}`;
}

function quoteText(text: string): string {
  const quoted = `'${text.replaceAll("'", "''")}'`;
  return text.includes('\\') ? ` E${quoted.replaceAll('\\', '\\\\')}` : quoted;
}
