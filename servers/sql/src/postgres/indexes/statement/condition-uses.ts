import { getName, toFields, toList, toNode, toNodes, type Fields, type SyntaxNode } from '../../policy/parse/syntax-tree.ts';
import { constantSql, constantText, toKey, type Key, type Lookup } from './expression-sql.ts';

/** How a condition restricts a key. */
export interface Use {
  readonly key: Key;
  /** `search` needs another access method than a B-tree. `predicate` can only be the predicate of a partial index. */
  readonly kind: 'equal' | 'range' | 'prefix' | 'search' | 'predicate';
  /** Access method and operator class that an index needs. Only for `prefix` and `search`. */
  readonly access?: Access;
  /** The condition as SQL, if it is constant and can be the predicate of a partial index. */
  readonly predicate?: string;
  /**
   * Constant with which the key is compared; `null` for IS NULL. The frequency of the value decides whether a partial index is
   * proposed.
   */
  readonly value?: string | null;
  /** Whether the other operand is a key of another table. */
  readonly isJoin: boolean;
}

interface Access {
  readonly method: 'btree' | 'gin' | 'gist';
  /** Operator class; `undefined` for the default. */
  readonly opclass?: string | undefined;
}

export interface ConditionContext {
  readonly lookup: Lookup;
  readonly params: readonly (string | null)[];
}

/** Returns how one condition without AND and OR restricts keys. */
export function readCondition(node: SyntaxNode, context: ConditionContext): readonly Use[] {
  if (node.kind === 'NullTest') return nullTest(node.fields, context);
  if (node.kind === 'A_Expr') return comparison(node.fields, context);
  if (node.kind === 'BoolExpr' && node.fields['boolop'] === 'NOT_EXPR')
    return flag(toNodes(node.fields['args'])[0], context, false);
  return flag(node, context, true);
}

function flag(node: SyntaxNode | undefined, { lookup }: ConditionContext, value: boolean): readonly Use[] {
  const key = node?.kind === 'ColumnRef' ? toKey(node, lookup) : undefined;
  if (key?.type !== 'boolean') return [];
  return [{ key, kind: 'predicate', predicate: value ? key.sql : `not ${key.sql}`, value: value ? 't' : 'f', isJoin: false }];
}

function nullTest({ arg, nulltesttype }: Fields, { lookup }: ConditionContext): readonly Use[] {
  const key = toKey(toNode(arg), lookup);
  if (key === undefined) return [];
  const isNull = nulltesttype === 'IS_NULL';
  const predicate = `${key.sql} is ${isNull ? '' : 'not '}null`;
  const nulls = key.table.columns.get(key.column ?? '')?.nulls ?? 0;
  if (isNull) return [{ key, kind: 'equal', predicate, value: null, isJoin: false }];
  return [{ key, kind: nulls >= MANY_NULLS ? 'range' : 'predicate', isJoin: false }];
}

/** Minimum share of nulls at which an index finds the other rows faster than a scan of the table. */
const MANY_NULLS = 0.8;

interface Operands {
  readonly operator: string;
  readonly left: SyntaxNode | undefined;
  readonly right: SyntaxNode | undefined;
}

function comparison({ kind, name, lexpr, rexpr }: Fields, context: ConditionContext): readonly Use[] {
  const operator = getName(name).at(-1) ?? '';
  const operands = { operator, left: toNode(lexpr), right: toNode(rexpr) };
  const read = KINDS[String(kind)];
  return read?.(operands, context) ?? [];
}

const KINDS: Readonly<Record<string, (operands: Operands, context: ConditionContext) => readonly Use[]>> = {
  AEXPR_OP: operation,
  AEXPR_IN: ({ operator, left }, { lookup }) => (operator === '=' ? single(left, lookup, { kind: 'equal' }) : []),
  AEXPR_OP_ANY: anyOperation,
  AEXPR_BETWEEN: ({ left }, { lookup }) => single(left, lookup, { kind: 'range' }),
  AEXPR_LIKE: pattern,
  AEXPR_ILIKE: pattern,
};

function anyOperation({ operator, left, right }: Operands, { lookup }: ConditionContext): readonly Use[] {
  // No index finds the rows for `value = any (column)`. An index on an array column needs an operator such as `@>`.
  return operator === '=' && toKey(right, lookup) === undefined ? single(left, lookup, { kind: 'equal' }) : [];
}

function single(node: SyntaxNode | undefined, lookup: Lookup, use: Omit<Use, 'key' | 'isJoin'>): readonly Use[] {
  const key = toKey(node, lookup);
  return key === undefined ? [] : [{ key, isJoin: false, ...use }];
}

const RANGES: ReadonlySet<string> = new Set(['<', '<=', '>', '>=']);

function operation(operands: Operands, context: ConditionContext): readonly Use[] {
  const { operator, left, right } = operands;
  if (operator.startsWith('~')) return pattern(operands, context);
  const keys = [toKey(left, context.lookup), toKey(right, context.lookup)] as const;
  const [first, second] = keys;
  // Two keys of one table are assumed to be in the same row. No index finds rows by comparing two columns of the same row.
  if (first !== undefined && first.table === second?.table) return [];
  if (operator === '=' || RANGES.has(operator)) return compareKeys(operands, keys);
  const access = first && searchAccess(operator, first);
  return first !== undefined && access !== undefined ? [{ key: first, kind: 'search', access, isJoin: false }] : [];
}

function compareKeys({ operator, right }: Operands, keys: readonly (Key | undefined)[]): readonly Use[] {
  const kind = operator === '=' ? 'equal' : 'range';
  const isJoin = keys.every((key) => key !== undefined);
  const constant = constantSql(right);
  return keys.flatMap((key, place) => {
    if (key === undefined) return [];
    if (place > 0 || constant === undefined) return [{ key, kind, isJoin }];
    const value = constantText(right, []) ?? constant;
    return [{ key, kind, isJoin, predicate: `${key.sql} ${operator} ${constant}`, value }];
  });
}

/** Returns the access method that supports an operator for a key on its left side. */
function searchAccess(operator: string, { type = '' }: Key): Access | undefined {
  return SEARCHES.find(({ types, operators }) => types.test(type) && operators.includes(operator))?.access;
}

interface Search {
  readonly types: RegExp;
  readonly operators: readonly string[];
  readonly access: Access;
}

const SEARCHES: readonly Search[] = [
  { types: /^jsonb$/, operators: ['@>', '@?', '@@'], access: { method: 'gin', opclass: 'jsonb_path_ops' } },
  { types: /^jsonb$/, operators: ['?', '?|', '?&'], access: { method: 'gin' } },
  { types: /^tsvector$/, operators: ['@@'], access: { method: 'gin' } },
  { types: /\[\]$/, operators: ['@>', '&&'], access: { method: 'gin' } },
  { types: /range$/, operators: ['@>', '&&', '<@'], access: { method: 'gist' } },
  { types: /^inet$/, operators: ['<<', '<<=', '&&'], access: { method: 'gist', opclass: 'inet_ops' } },
];

/** Operator classes that compare strings byte by byte, so that an index finds prefixes in any collation. */
const PATTERN_CLASSES: ReadonlyMap<string, string> = new Map([
  ['text', 'text_pattern_ops'],
  ['character varying', 'varchar_pattern_ops'],
  ['varchar', 'varchar_pattern_ops'],
  ['character', 'bpchar_pattern_ops'],
]);

const ANCHORED: Readonly<Record<string, RegExp>> = { '~~': /^[^%_]/, '~': /^\^[\w ]/ };
const TRIGRAMS: ReadonlySet<string> = new Set(['~~', '~~*', '~', '~*']);

function pattern({ operator, left, right }: Operands, { lookup, params }: ConditionContext): readonly Use[] {
  const key = toKey(left, lookup);
  const opclass = PATTERN_CLASSES.get(key?.type ?? '');
  if (key === undefined || opclass === undefined || !TRIGRAMS.has(operator)) return [];
  const access = chooseAccess(operator, constantText(right, params));
  const prefix: Use = {
    key,
    kind: 'prefix',
    access: { method: 'btree', opclass: isC(key) ? undefined : opclass },
    isJoin: false,
  };
  const trigrams: Use = { key, kind: 'search', access: { method: 'gin', opclass: 'gin_trgm_ops' }, isJoin: false };
  return [...(access.prefix ? [prefix] : []), ...(access.trigrams ? [trigrams] : [])];
}

function isC({ table, columns: [column = ''] }: Key): boolean {
  return table.columns.get(column)?.isC === true;
}

function chooseAccess(operator: string, text: string | undefined): Readonly<Record<'prefix' | 'trigrams', boolean>> {
  // If the text of the pattern is not known, LIKE (`~~`) may use a prefix index or a trigram index. Other operators may use only
  // a trigram index.
  if (text === undefined) return { prefix: operator === '~~', trigrams: true };
  const prefix = ANCHORED[operator]?.test(text) === true;
  return { prefix, trigrams: !prefix && /[^\W_]{3}/u.test(text) };
}

/** Returns the conditions that AND connects, or the alternatives that OR connects, at any depth of parentheses. */
export function splitCondition(node: SyntaxNode | undefined, operator: 'AND_EXPR' | 'OR_EXPR'): readonly SyntaxNode[] {
  if (node === undefined) return [];
  const { boolop, args } = node.fields;
  if (node.kind !== 'BoolExpr' || boolop !== operator) return [node];
  return toNodes(args).flatMap((arg) => splitCondition(arg, operator));
}

/** Returns the columns of a USING clause. */
export function usingColumns(fields: Fields): readonly string[] {
  return toList(fields['usingClause']).flatMap((item) => {
    const name = toFields(toFields(item)['String'])['sval'];
    return typeof name === 'string' ? [name] : [];
  });
}
