import { folded, foldedNameIn, listOf, nameIn, nodesIn, type Fields, type SyntaxNode } from './syntax-tree.ts';

/** A name in a place where PostgreSQL calls a function: of a type, what casts to it and checks its values. */
export interface CalledName {
  readonly kind: 'function' | 'operator' | 'type' | RowKind;
  readonly schema: string | undefined;
  readonly name: string;
  /** How many arguments it is given, where that is plain. */
  readonly arguments: number | undefined;
}

/**
 * All calls among the nodes of a statement: `fn(x)`, `x.fn`, `(x).fn`, operators, and types. A name with letters outside ASCII is
 * listed as written and folded: the encoding of the server decides which of them an unquoted name means.
 */
export function calledIn(nodes: readonly SyntaxNode[]): readonly CalledName[] {
  return nodes.flatMap(callsOf).flatMap(spellingsOf);
}

function spellingsOf(call: CalledName): readonly CalledName[] {
  const [schema, name] = [folded(call.schema), folded(call.name)];
  if (name === call.name && (call.schema === undefined || schema === call.schema)) return [call];
  const schemas = call.schema === undefined ? [undefined] : [...new Set([call.schema, schema])];
  return [...new Set([call.name, name])].flatMap((each) => schemas.map((within) => ({ ...call, schema: within, name: each })));
}

/** Returns the relations and functions whose rows may occur in a statement without the name of a row type. */
export function rowsIn(nodes: readonly SyntaxNode[]): readonly CalledName[] {
  return nodes.flatMap(({ kind, fields: { funcname, schemaname, relname } }) => {
    if (kind === 'FuncCall') return called('row', foldedNameIn(funcname), undefined);
    const path = [folded(schemaname), folded(relname)].filter((part) => part !== '');
    return kind === 'RangeVar' ? called('row', path, undefined) : [];
  });
}

/**
 * How PostgreSQL may convert values beside a row without the name of a type. `row`: a text is converted to the row type, which runs
 * the checks of its domains: `coalesce(t, '(1,2)')`. `column`: a text is converted to a type of a column that contains values of
 * domains: `coalesce(t.list, '{1}')`. `value`: a value of the row is cast: `upper(t.pair)`.
 */
export type RowKind = 'row' | 'column' | 'value';

/** Parts of a statement on which the conversions beside rows depend. */
export interface RowUse {
  readonly hasOperation: boolean;
  readonly hasText: boolean;
  readonly hasRowText: boolean;
  readonly makesArray: boolean;
}

export function rowUseOf(nodes: readonly SyntaxNode[]): RowUse {
  const texts = nodes.filter(({ kind }) => kind === 'sval');
  const populates = nodes.some(isPopulating);
  return {
    hasOperation: nodes.some(({ kind }) => OPERATIONS.has(kind)),
    hasText: populates || texts.length > 0,
    hasRowText: populates || texts.some(({ fields }) => isRowText(fields['sval'])),
    makesArray: nodes.some(isArrayMaking),
  };
}

/** Returns the conversions that are possible with these parameters. */
export function rowKindsOf(use: RowUse, params: readonly (string | null)[]): readonly RowKind[] {
  const hasText = use.hasText || params.some((param) => param !== null);
  // In an array of values of a domain, each text is one of the values.
  const hasRow = use.hasRowText || params.some(isRowText) || (hasText && use.makesArray);
  const kinds: readonly (readonly [kind: RowKind, possible: boolean])[] = [
    ['row', hasRow],
    ['column', hasText],
    ['value', use.hasOperation],
  ];
  return kinds.flatMap(([kind, possible]) => (possible ? [kind] : []));
}

/** Whether a text may be a row, which PostgreSQL reads only in parentheses. */
function isRowText(value: unknown): boolean {
  return typeof value === 'string' && value.includes('(');
}

function isPopulating({ kind, fields }: SyntaxNode): boolean {
  return POPULATING.test(foldedNameIn(fields[kind === 'FuncCall' ? 'funcname' : 'name']).at(-1) ?? '');
}

function isArrayMaking({ kind, fields }: SyntaxNode): boolean {
  if (kind === 'FuncCall') return /array|range/.test(foldedNameIn(fields['funcname']).at(-1) ?? '');
  return kind === 'A_ArrayExpr' || (kind === 'SubLink' && fields['subLinkType'] === 'ARRAY_SUBLINK');
}

/** Kinds of nodes that may cast their parts. */
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

/** Functions and operators that convert documents to rows. */
const POPULATING = /^(?:(?:jsonb?_)?populate_record(?:set)?(?:_valid)?|#=)$/;

/** Syntax of newer servers that calls a function on older servers. */
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

/** Fields that hold the name of an operator. */
const OPERATORS = ['name', 'operName', 'useOp'];
const NONE: readonly never[] = [];

function callsOf({ kind, fields }: SyntaxNode): readonly CalledName[] {
  switch (kind) {
    case 'FuncCall':
      return calledOrCast(nameIn(fields['funcname']), countOf(fields));
    // If t has no column with the name, `t.fn` calls a function with its row, or casts the row.
    case 'ColumnRef':
      return calledOrCast(nameIn(fields['fields']).slice(1).slice(-1), 1);
    case 'A_Indirection':
      return nodesIn(fields['indirection']).flatMap((step) => calledOrCast(nameIn([{ [step.kind]: step.fields }]), 1));
    case 'TypeName':
    case 'typeName':
      return called('type', nameIn(fields['names']), undefined);
    case 'JsonFuncExpr':
      return called('function', [JSON_FUNCTIONS[String(fields['op'])] ?? ''], undefined);
    default:
      return [
        ...called('function', [Object.hasOwn(KEYWORDS, kind) ? (KEYWORDS[kind] ?? '') : ''], undefined),
        ...OPERATORS.flatMap((field) => (field in fields ? called('operator', nameIn(fields[field]), undefined) : NONE)),
        ...impliedBy(kind, fields).map((name): CalledName => ({ kind: 'operator', schema: undefined, name, arguments: 2 })),
      ];
  }
}

/** A function call with the name of a type is a cast: `dom('1')`. */
function calledOrCast(path: readonly string[], count: number | undefined): readonly CalledName[] {
  const cast = count === undefined || count === 1 ? called('type', path, undefined) : NONE;
  return [...called('function', path, count), ...cast];
}

/** Operators that PostgreSQL calls though the statement does not name them. */
const IMPLIED: Readonly<Record<string, (fields: Fields) => readonly string[]>> = {
  A_Expr: ({ kind }) => (String(kind).includes('BETWEEN') ? ['<', '<=', '>=', '>'] : NONE),
  CaseExpr: ({ arg }) => (arg === undefined ? NONE : EQUAL),
  JoinExpr: ({ usingClause, isNatural }) => (usingClause === undefined && isNatural !== true ? NONE : EQUAL),
  SubLink: ({ subLinkType, operName }) => (subLinkType === 'ANY_SUBLINK' && operName === undefined ? EQUAL : NONE),
};

const EQUAL: readonly string[] = ['='];

function impliedBy(kind: string, fields: Fields): readonly string[] {
  return (Object.hasOwn(IMPLIED, kind) ? IMPLIED[kind]?.(fields) : undefined) ?? NONE;
}

function called(kind: CalledName['kind'], path: readonly string[], given: number | undefined): readonly CalledName[] {
  const name = path.at(-1);
  return name === undefined || name === '' ? [] : [{ kind, schema: path.at(-2), name, arguments: given }];
}

function countOf(fields: Fields): number | undefined {
  if (fields['func_variadic'] === true || fields['agg_within_group'] === true) return undefined;
  return listOf(fields['args']).length;
}
