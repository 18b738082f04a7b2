import { calledIn, type CalledName } from '../policy/called-names.ts';
import { secretIn } from '../policy/reading.ts';
import {
  nameIn,
  nodeOf,
  nodesIn,
  nodesOf,
  fieldsOf,
  folded,
  listOf,
  type Fields,
  type Statement,
  type SyntaxNode,
} from '../policy/syntax-tree.ts';
import { relationName } from './targets.ts';

/** Operations on rows of a relation, as bits of `pg_trigger.tgtype`. */
export const EVENTS = { read: 0, insert: 4, delete: 8, update: 16, all: 28 } as const;

/** A relation that a statement names, and the operations of the statement on its rows. */
export interface NamedRelation {
  /** Name as written and, if different, folded: the encoding of the server decides which of them an unquoted name means. */
  readonly names: readonly string[];
  /** Whether only the server can tell if the relation exists, because its encoding may change the name. */
  readonly uncertain: boolean;
  readonly events: number;
  /** Whether columns without a value get their default. */
  readonly defaults: boolean;
  /** Columns with a value in the statement. */
  readonly given: readonly string[];
  /** Number of values for the first columns, if the statement has no column list. */
  readonly given_first: number;
}

/** Names in a statement, which the database resolves. */
export interface Named {
  readonly relations: readonly NamedRelation[];
  readonly calls: readonly CalledName[];
  /** Relations that contain secrets. */
  readonly secrets: readonly string[];
}

/** Finds the names in a statement that reads or changes rows. */
export function namedIn(statement: Statement): Named {
  const nodes = nodesOf(statement);
  const hasDefault = nodes.some(({ kind }) => kind === 'SetToDefault');
  const queries = new Set(nodes.flatMap(({ fields: { ctename } }) => (typeof ctename === 'string' ? [ctename] : [])));
  return {
    relations: [...nodes.flatMap((node) => readBy(node, queries)), ...nodes.flatMap((node) => writtenBy(node, hasDefault))],
    calls: [...calledIn(nodes), ...nodes.flatMap(sampledBy)],
    secrets: [...new Set(nodes.flatMap(({ fields }) => secretIn(fields) ?? []))],
  };
}

function readBy({ fields }: SyntaxNode, queries: ReadonlySet<string>): readonly NamedRelation[] {
  const spelled = spellingsOf(fields);
  if (spelled === undefined) return [];
  const isQuery = fields['schemaname'] === undefined && queries.has(String(fields['relname']));
  return [{ ...UNTOUCHED, ...spelled, uncertain: spelled.uncertain && !isQuery, events: EVENTS.read, defaults: false }];
}

function writtenBy({ kind, fields }: SyntaxNode, hasDefault: boolean): readonly NamedRelation[] {
  const write = Object.hasOwn(WRITES, kind) ? WRITES[kind]?.(fields, hasDefault) : undefined;
  const spelled = spellingsOf(fieldsOf(fields['relation']));
  return write === undefined || spelled === undefined ? [] : [{ ...UNTOUCHED, ...write, ...spelled }];
}

function spellingsOf({ relname, schemaname }: Fields): Pick<NamedRelation, 'names' | 'uncertain'> | undefined {
  const relations = [...new Set([relname, folded(relname)])];
  const schemas = schemaname === undefined ? [undefined] : [...new Set([schemaname, folded(schemaname)])];
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
    ...(!hasDefault && givenTo(fields)),
  }),
  UpdateStmt: (_, hasDefault) => ({ events: EVENTS.update, defaults: hasDefault }),
  DeleteStmt: () => ({ events: EVENTS.delete, defaults: false }),
  MergeStmt: () => ({ events: EVENTS.all, defaults: true }),
};

/** Returns the columns of an INSERT that get no default. OVERRIDING USER VALUE ignores the values of identity columns. */
function givenTo({ cols, selectStmt, override }: Fields): Partial<Pick<NamedRelation, 'given' | 'given_first'>> {
  if (override === 'OVERRIDING_USER_VALUE' || selectStmt === undefined) return {};
  if (cols !== undefined) return { given: nodesIn(cols).map(({ fields: { name } }) => String(name)) };
  const { valuesLists, targetList } = fieldsOf(nodeOf(selectStmt)?.fields);
  const [row] = listOf(valuesLists);
  const values = row === undefined ? listOf(targetList) : listOf(nodeOf(row)?.fields['items']);
  // A star of a subquery does not add values.
  const nodes = nodesOf({ kind: 'values', fields: { values } }, ({ kind }) => kind !== 'SelectStmt');
  const isExpanded = nodes.some(({ kind }) => kind === 'A_Star');
  return isExpanded ? {} : { given_first: values.length };
}

/** Returns the method of a TABLESAMPLE, which is a function. */
function sampledBy({ kind, fields: { method } }: SyntaxNode): readonly CalledName[] {
  if (kind !== 'RangeTableSample') return [];
  const path = nameIn(method);
  const name = path.at(-1) ?? '';
  return SYSTEM_METHODS.has(name) ? [] : [{ kind: 'function', schema: path.at(-2), name, arguments: undefined }];
}

const SYSTEM_METHODS: ReadonlySet<string> = new Set(['bernoulli', 'system']);
