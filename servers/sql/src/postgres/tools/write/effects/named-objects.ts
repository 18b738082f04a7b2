import { collectCalls, type CalledName } from '../../../policy/functions/called-names.ts';
import { findSecretRelation } from '../../../policy/require-read-only.ts';
import {
  getName,
  toNode,
  toNodes,
  collectNodes,
  toFields,
  foldName,
  toList,
  type Fields,
  type Statement,
  type SyntaxNode,
} from '../../../policy/parse/syntax-tree.ts';
import { relationName } from '../../../policy/parse/relation-name.ts';

/** Operations on rows of a relation, as bits of `pg_trigger.tgtype`. `read` has no bit. */
export const EVENTS = { read: 0, insert: 4, delete: 8, update: 16, all: 28 } as const;

/** A relation that a statement names, and the operations of the statement on its rows. */
export interface NamedRelation {
  /** Name as written, and in lower case if that differs. The encoding of the server decides which spelling an unquoted name means. */
  readonly names: readonly string[];
  /**
   * Whether the name contains letters outside ASCII. The encoding of the server may change these letters, so only the server knows
   * whether the relation exists.
   */
  readonly uncertain: boolean;
  readonly events: number;
  /** Whether the statement may store default values in columns without a value. */
  readonly defaults: boolean;
  /** Columns to which the statement gives a value. */
  readonly given: readonly string[];
  /** If the statement has no column list, the number of values that it gives to the first columns. */
  readonly given_first: number;
}

/** Names in a statement; PostgreSQL finds the objects that they mean. */
export interface NamedObjects {
  readonly relations: readonly NamedRelation[];
  readonly calls: readonly CalledName[];
  /** Relations that contain secrets. */
  readonly secrets: readonly string[];
}

/** Finds the names in a statement that reads or changes rows. */
export function findNamedObjects(statement: Statement): NamedObjects {
  const nodes = collectNodes(statement);
  const hasDefault = nodes.some(({ kind }) => kind === 'SetToDefault');
  const queries = new Set(nodes.flatMap(({ fields: { ctename } }) => (typeof ctename === 'string' ? [ctename] : [])));
  return {
    relations: [...nodes.flatMap((node) => findRead(node, queries)), ...nodes.flatMap((node) => findWritten(node, hasDefault))],
    calls: [...collectCalls(nodes), ...nodes.flatMap(findSampleMethod)],
    secrets: [...new Set(nodes.flatMap(({ fields }) => findSecretRelation(fields) ?? []))],
  };
}

function findRead({ fields }: SyntaxNode, queries: ReadonlySet<string>): readonly NamedRelation[] {
  const spelled = findSpellings(fields);
  if (spelled === undefined) return [];
  const isQuery = fields['schemaname'] === undefined && queries.has(String(fields['relname']));
  return [{ ...UNTOUCHED, ...spelled, uncertain: spelled.uncertain && !isQuery, events: EVENTS.read, defaults: false }];
}

function findWritten({ kind, fields }: SyntaxNode, hasDefault: boolean): readonly NamedRelation[] {
  const write = Object.hasOwn(WRITES, kind) ? WRITES[kind]?.(fields, hasDefault) : undefined;
  const spelled = findSpellings(toFields(fields['relation']));
  return write === undefined || spelled === undefined ? [] : [{ ...UNTOUCHED, ...write, ...spelled }];
}

function findSpellings({ relname, schemaname }: Fields): Pick<NamedRelation, 'names' | 'uncertain'> | undefined {
  const relations = [...new Set([relname, foldName(relname)])];
  const schemas = schemaname === undefined ? [undefined] : [...new Set([schemaname, foldName(schemaname)])];
  const names = relations.flatMap((name) =>
    schemas.flatMap((schema) => relationName({ relname: name, schemaname: schema }) ?? []),
  );
  return typeof relname === 'string' ? { names, uncertain: /\P{ASCII}/u.test(names.join('')) } : undefined;
}

const UNTOUCHED = { given: [], given_first: 0 } as const;

type Write = Pick<NamedRelation, 'events' | 'defaults'> & Partial<Pick<NamedRelation, 'given' | 'given_first'>>;

const WRITES: Readonly<Record<string, (fields: Fields, hasDefault: boolean) => Write>> = {
  InsertStmt: (fields, hasDefault) => ({
    events: 'onConflictClause' in fields ? EVENTS.insert | EVENTS.update : EVENTS.insert,
    defaults: true,
    ...(!hasDefault && findGivenColumns(fields)),
  }),
  UpdateStmt: (_, hasDefault) => ({ events: EVENTS.update, defaults: hasDefault }),
  DeleteStmt: () => ({ events: EVENTS.delete, defaults: false }),
  MergeStmt: () => ({ events: EVENTS.all, defaults: true }),
};

/**
 * Returns the columns to which an INSERT gives a value, so that these columns get no default. OVERRIDING USER VALUE ignores the
 * values of identity columns, so the result is then empty.
 */
function findGivenColumns({ cols, selectStmt, override }: Fields): Partial<Pick<NamedRelation, 'given' | 'given_first'>> {
  if (override === 'OVERRIDING_USER_VALUE' || selectStmt === undefined) return {};
  if (cols !== undefined) return { given: toNodes(cols).map(({ fields: { name } }) => String(name)) };
  const { valuesLists, targetList } = toFields(toNode(selectStmt)?.fields);
  const [row] = toList(valuesLists);
  const values = row === undefined ? toList(targetList) : toList(toNode(row)?.fields['items']);
  // A star inside a subquery does not add values, so the search skips subqueries.
  const nodes = collectNodes({ kind: 'values', fields: { values } }, ({ kind }) => kind !== 'SelectStmt');
  const isExpanded = nodes.some(({ kind }) => kind === 'A_Star');
  return isExpanded ? {} : { given_first: values.length };
}

/** Returns the sampling method of a TABLESAMPLE as a function call; empty for PostgreSQL's own methods. */
function findSampleMethod({ kind, fields: { method } }: SyntaxNode): readonly CalledName[] {
  if (kind !== 'RangeTableSample') return [];
  const path = getName(method);
  const name = path.at(-1) ?? '';
  return SYSTEM_METHODS.has(name) ? [] : [{ kind: 'function', schema: path.at(-2), name, arguments: undefined }];
}

const SYSTEM_METHODS: ReadonlySet<string> = new Set(['bernoulli', 'system']);
