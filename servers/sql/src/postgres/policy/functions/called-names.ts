import { foldName, getFoldedName, toList, getName, toNodes, type Fields, type SyntaxNode } from '../parse/syntax-tree.ts';

/** A name in a statement that makes PostgreSQL call functions. For a type, PostgreSQL calls its casts and the checks of its values. */
export interface CalledName {
  readonly kind: 'function' | 'operator' | 'type' | RowKind;
  readonly schema: string | undefined;
  readonly name: string;
  /** Number of arguments; `undefined` if the statement does not show the number. */
  readonly arguments: number | undefined;
}

/**
 * Returns all calls among the nodes of a statement: `fn(x)`, `x.fn`, `(x).fn`, operators, and types. A name with letters outside
 * ASCII is listed as written and in lower case. The encoding of the server decides which spelling an unquoted name means.
 */
export function collectCalls(nodes: readonly SyntaxNode[]): readonly CalledName[] {
  return nodes.flatMap(findCalls).flatMap(listSpellings);
}

function listSpellings(call: CalledName): readonly CalledName[] {
  const [schema, name] = [foldName(call.schema), foldName(call.name)];
  if (name === call.name && (call.schema === undefined || schema === call.schema)) return [call];
  const schemas = call.schema === undefined ? [undefined] : [...new Set([call.schema, schema])];
  return [...new Set([call.name, name])].flatMap((each) => schemas.map((within) => ({ ...call, schema: within, name: each })));
}

/**
 * Returns the relations and functions of a statement whose rows PostgreSQL may convert, although the statement does not name a row
 * type.
 */
export function collectRowSources(nodes: readonly SyntaxNode[]): readonly CalledName[] {
  return nodes.flatMap(({ kind, fields: { funcname, schemaname, relname } }) => {
    if (kind === 'FuncCall') return toCalledNames('row', getFoldedName(funcname), undefined);
    const path = [foldName(schemaname), foldName(relname)].filter((part) => part !== '');
    return kind === 'RangeVar' ? toCalledNames('row', path, undefined) : [];
  });
}

/**
 * Conversions that PostgreSQL may apply in expressions with a row, although the statement names no type. `row`: a text is converted
 * to the row type, which runs the checks of its domains: `coalesce(t, '(1,2)')`. `column`: a text is converted to a type of a
 * column that contains values of domains: `coalesce(t.list, '{1}')`. `value`: a value of the row is cast: `upper(t.pair)`.
 */
export type RowKind = 'row' | 'column' | 'value';

/** Properties of a statement that decide which conversions of `RowKind` are possible. */
export interface RowUse {
  readonly hasOperation: boolean;
  readonly hasText: boolean;
  readonly hasRowText: boolean;
  readonly makesArray: boolean;
}

export function analyzeRowUse(nodes: readonly SyntaxNode[]): RowUse {
  const texts = nodes.filter(({ kind }) => kind === 'sval');
  const populates = nodes.some(isPopulating);
  return {
    hasOperation: nodes.some(({ kind }) => OPERATIONS.has(kind)),
    hasText: populates || texts.length > 0,
    hasRowText: populates || texts.some(({ fields }) => isRowText(fields['sval'])),
    makesArray: nodes.some(isArrayMaking),
  };
}

/** Returns the conversions that are possible in a statement with these parameters. */
export function listRowKinds(use: RowUse, params: readonly (string | null)[]): readonly RowKind[] {
  const hasText = use.hasText || params.some((param) => param !== null);
  // If the statement makes an array of values of a domain, each text may become an element, even a text without parentheses.
  const hasRow = use.hasRowText || params.some(isRowText) || (hasText && use.makesArray);
  const kinds: readonly (readonly [kind: RowKind, possible: boolean])[] = [
    ['row', hasRow],
    ['column', hasText],
    ['value', use.hasOperation],
  ];
  return kinds.flatMap(([kind, possible]) => (possible ? [kind] : []));
}

/** Whether a text may be the text form of a row, which contains parentheses. */
function isRowText(value: unknown): boolean {
  return typeof value === 'string' && value.includes('(');
}

function isPopulating({ kind, fields }: SyntaxNode): boolean {
  return POPULATING.test(getFoldedName(fields[kind === 'FuncCall' ? 'funcname' : 'name']).at(-1) ?? '');
}

function isArrayMaking({ kind, fields }: SyntaxNode): boolean {
  if (kind === 'FuncCall') return /array|range/.test(getFoldedName(fields['funcname']).at(-1) ?? '');
  return kind === 'A_ArrayExpr' || (kind === 'SubLink' && fields['subLinkType'] === 'ARRAY_SUBLINK');
}

/** Kinds of nodes with which PostgreSQL may cast an operand to another type. */
const OPERATIONS: ReadonlySet<string> = new Set([
  'A_Expr',
  'CaseExpr',
  'CoalesceExpr',
  'FuncCall',
  'MinMaxExpr',
  'A_ArrayExpr',
  'XmlExpr',
  'JsonFuncExpr',
  'larg',
]);

/** Functions and operators that convert JSON or hstore values to rows. */
const POPULATING = /^(?:(?:jsonb?_)?populate_record(?:set)?(?:_valid)?|#=)$/;

/** Functions that an older server calls for a keyword of newer servers, keyed by the kind of the node. */
const KEYWORDS: Readonly<Record<string, string>> = {
  JsonParseExpr: 'json',
  JsonScalarExpr: 'json_scalar',
  JsonSerializeExpr: 'json_serialize',
  JsonArrayConstructor: 'json_array',
  JsonArrayQueryConstructor: 'json_array',
  JsonObjectConstructor: 'json_object',
  JsonArrayAgg: 'json_arrayagg',
  JsonObjectAgg: 'json_objectagg',
  JsonTable: 'json_table',
  MergeSupportFunc: 'merge_action',
};

const JSON_FUNCTIONS: Readonly<Record<string, string>> = {
  JSON_EXISTS_OP: 'json_exists',
  JSON_QUERY_OP: 'json_query',
  JSON_VALUE_OP: 'json_value',
};

/** Fields that contain the name of an operator. */
const OPERATORS = ['name', 'operName', 'useOp'];
const NONE: readonly never[] = [];

function findCalls({ kind, fields }: SyntaxNode): readonly CalledName[] {
  switch (kind) {
    case 'FuncCall':
      return callOrCast(getName(fields['funcname']), countArguments(fields));
    // If the table `t` has no column `fn`, `t.fn` calls the function `fn` with the row of `t`, or casts the row.
    case 'ColumnRef':
      return callOrCast(getName(fields['fields']).slice(1).slice(-1), 1);
    case 'A_Indirection':
      return toNodes(fields['indirection']).flatMap((step) => callOrCast(getName([{ [step.kind]: step.fields }]), 1));
    case 'TypeName':
    case 'typeName':
      return toCalledNames('type', getName(fields['names']), undefined);
    case 'JsonFuncExpr':
      return toCalledNames('function', [JSON_FUNCTIONS[String(fields['op'])] ?? ''], undefined);
    default:
      return [
        ...toCalledNames('function', [Object.hasOwn(KEYWORDS, kind) ? (KEYWORDS[kind] ?? '') : ''], undefined),
        ...OPERATORS.flatMap((field) => (field in fields ? toCalledNames('operator', getName(fields[field]), undefined) : NONE)),
        ...findImpliedOperators(kind, fields).map((name): CalledName => ({
          kind: 'operator',
          schema: undefined,
          name,
          arguments: 2,
        })),
      ];
  }
}

/** A function call with the name of a type is a cast: `dom('1')`. */
function callOrCast(path: readonly string[], count: number | undefined): readonly CalledName[] {
  const cast = count === undefined || count === 1 ? toCalledNames('type', path, undefined) : NONE;
  return [...toCalledNames('function', path, count), ...cast];
}

/** Operators that PostgreSQL calls although the statement does not name them. */
const IMPLIED: Readonly<Record<string, (fields: Fields) => readonly string[]>> = {
  A_Expr: ({ kind }) => (String(kind).includes('BETWEEN') ? ['<', '<=', '>=', '>'] : NONE),
  CaseExpr: ({ arg }) => (arg === undefined ? NONE : EQUAL),
  JoinExpr: ({ usingClause, isNatural }) => (usingClause === undefined && isNatural !== true ? NONE : EQUAL),
  SubLink: ({ subLinkType, operName }) => (subLinkType === 'ANY_SUBLINK' && operName === undefined ? EQUAL : NONE),
};

const EQUAL: readonly string[] = ['='];

function findImpliedOperators(kind: string, fields: Fields): readonly string[] {
  return (Object.hasOwn(IMPLIED, kind) ? IMPLIED[kind]?.(fields) : undefined) ?? NONE;
}

function toCalledNames(kind: CalledName['kind'], path: readonly string[], given: number | undefined): readonly CalledName[] {
  const name = path.at(-1);
  return name === undefined || name === '' ? [] : [{ kind, schema: path.at(-2), name, arguments: given }];
}

function countArguments(fields: Fields): number | undefined {
  if (fields['func_variadic'] === true || fields['agg_within_group'] === true) return undefined;
  return toList(fields['args']).length;
}
