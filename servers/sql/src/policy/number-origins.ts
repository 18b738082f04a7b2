import { partsOf } from './literal-sizes.ts';
import { lastNameIn, type SyntaxNode } from './syntax-tree.ts';

/** What the text of a statement says about a number. */
export interface Origin {
  /** Type of the result, if the text shows that the result is no `numeric`. */
  readonly machine: 'float' | 'integer' | undefined;
  /** Whether the number is computed with operators from columns of tables and constants only. */
  readonly isData: boolean;
}

type Origins = ReadonlyMap<unknown, Origin>;

/** Determines the origin of a node from the origins of its parts. @param isDefined whether a subquery defines the column */
export function originOf(node: SyntaxNode, isDefined: boolean, origins: Origins): Origin {
  const isData =
    !isDefined && !COMPUTED.has(node.kind) && partsOf(node.fields).every((part) => origins.get(part)?.isData !== false);
  const machine = machineOf(node, origins);
  return isData && machine === undefined ? DATA : { machine, isData };
}

/** Origin of most nodes. */
export const DATA: Origin = { machine: undefined, isData: true };

const COMPUTED: ReadonlySet<string> = new Set(['FuncCall', 'SubLink', 'SelectStmt', 'SQLValueFunction']);

const TYPES: Readonly<Record<string, Origin['machine']>> = {
  float4: 'float',
  float8: 'float',
  int2: 'integer',
  int4: 'integer',
  int8: 'integer',
};

function machineOf({ kind, fields }: SyntaxNode, origins: Origins): Origin['machine'] {
  if (kind === 'A_Const') return 'ival' in fields ? 'integer' : undefined;
  if (kind === 'TypeCast') return origins.get(fields['typeName'])?.machine;
  if (kind === 'typeName') return typeOf(fields);
  if (kind === 'A_Expr') return fields['kind'] === 'AEXPR_OP' ? operated(fields, origins) : undefined;
  if (kind === 'FuncCall') return called(fields, origins);
  return wrapped(fields, origins);
}

function typeOf(type: SyntaxNode['fields']): Origin['machine'] {
  const name = lastNameIn(type['names']);
  return 'arrayBounds' in type || !Object.hasOwn(TYPES, name) ? undefined : TYPES[name];
}

/** Returns the origin of a field with the only node in it: `{ lexpr: { TypeCast: {…} } }`. */
function wrapped(fields: SyntaxNode['fields'], origins: Origins): Origin['machine'] {
  let only: unknown;
  for (const name of Object.keys(fields)) {
    if (only !== undefined || !/^[A-Z]/.test(name)) return undefined;
    only = fields[name];
  }
  return origins.get(only)?.machine;
}

const ARITHMETIC: ReadonlySet<string> = new Set(['+', '-', '*', '/', '%', '^']);

function operated({ name, lexpr, rexpr }: SyntaxNode['fields'], origins: Origins): Origin['machine'] {
  const operator = lastNameIn(name);
  if (!ARITHMETIC.has(operator)) return undefined;
  const sides = [lexpr, rexpr].filter((side) => side !== undefined).map((side) => origins.get(side)?.machine);
  // Double precision is the preferred type of numbers, so PostgreSQL converts the other operand.
  if (sides.includes('float')) return 'float';
  return sides.includes(undefined) ? undefined : operator === '^' ? 'float' : 'integer';
}

/** Functions with a form for double precision that has the same number of arguments as the form for `numeric`. */
const FLOAT_FUNCTIONS: Readonly<Record<string, number>> = { power: 2, pow: 2, exp: 1, ln: 1, log: 1, log10: 1, sqrt: 1 };

function called({ funcname, args }: SyntaxNode['fields'], origins: Origins): Origin['machine'] {
  const name = lastNameIn(funcname);
  const given = Array.isArray(args) ? args.map((arg: unknown) => origins.get(arg)?.machine) : [];
  if (!Object.hasOwn(FLOAT_FUNCTIONS, name) || FLOAT_FUNCTIONS[name] !== given.length) return undefined;
  return given.includes('float') || !given.includes(undefined) ? 'float' : undefined;
}
