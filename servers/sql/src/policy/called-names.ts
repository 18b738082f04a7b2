import { folded, foldedNameIn, listOf, nodesIn, type Fields, type SyntaxNode } from './syntax-tree.ts';

/** A name in a place where PostgreSQL calls a function: of a type, what casts to it and checks its values. */
export interface CalledName {
  readonly kind: 'function' | 'operator' | 'type' | 'row';
  readonly schema: string | undefined;
  readonly name: string;
  /** How many arguments it is given, where that is plain. */
  readonly arguments: number | undefined;
}

/** All calls among the nodes of a statement: `fn(x)`, `x.fn`, `(x).fn`, operators, and types. */
export function calledIn(nodes: readonly SyntaxNode[]): readonly CalledName[] {
  return nodes.flatMap(callsOf);
}

/**
 * Returns the relations and functions whose rows may occur in a statement without the name of a row type. PostgreSQL converts a
 * text next to such a row to its type, and runs the checks of its domains: `coalesce(t, '(1,2)')`.
 */
export function rowsIn(nodes: readonly SyntaxNode[]): readonly CalledName[] {
  return nodes.flatMap(({ kind, fields: { funcname, schemaname, relname } }) => {
    if (kind === 'FuncCall') return called('row', foldedNameIn(funcname), undefined);
    const path = [folded(schemaname), folded(relname)].filter((part) => part !== '');
    return kind === 'RangeVar' ? called('row', path, undefined) : [];
  });
}

/** Whether a constant or a function call may produce such rows. */
export function makesRows(nodes: readonly SyntaxNode[]): boolean {
  return nodes.some(({ kind, fields }) => {
    if (kind === 'sval') return isRowText(fields['sval']);
    return POPULATING.test(foldedNameIn(fields[kind === 'FuncCall' ? 'funcname' : 'name']).at(-1) ?? '');
  });
}

/** Whether a text may be a row, or an array or a range of rows. */
export function isRowText(value: unknown): boolean {
  return typeof value === 'string' && value.includes('(');
}

/** Functions and operators that convert documents to rows. */
const POPULATING = /^(?:(?:jsonb?_)?populate_record(?:set)?|#=)$/;

/** Fields that hold the name of an operator. */
const OPERATORS = ['name', 'operName', 'useOp'];
const NONE: readonly never[] = [];

function callsOf({ kind, fields }: SyntaxNode): readonly CalledName[] {
  switch (kind) {
    case 'FuncCall':
      return calledOrCast(foldedNameIn(fields['funcname']), countOf(fields));
    // What is not a column of t is, in `t.fn`, a function of its row.
    case 'ColumnRef':
      return called('function', foldedNameIn(fields['fields']).slice(1).slice(-1), 1);
    case 'A_Indirection':
      return nodesIn(fields['indirection']).flatMap((step) => calledOrCast(foldedNameIn([{ [step.kind]: step.fields }]), 1));
    case 'TypeName':
    case 'typeName':
      return called('type', foldedNameIn(fields['names']), undefined);
    default:
      return [
        ...OPERATORS.flatMap((field) => (field in fields ? called('operator', foldedNameIn(fields[field]), undefined) : NONE)),
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
