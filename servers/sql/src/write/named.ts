import { calledIn, type CalledName } from '../policy/called-names.ts';
import { secretIn } from '../policy/reading.ts';
import {
  nameIn,
  nodeOf,
  nodesIn,
  nodesOf,
  fieldsOf,
  listOf,
  type Fields,
  type Statement,
  type SyntaxNode,
} from '../policy/syntax-tree.ts';
import { relationName } from './targets.ts';

/** What a statement does to rows of a relation: bits of `pg_trigger.tgtype`. */
export const EVENTS = { read: 0, insert: 4, delete: 8, update: 16, all: 28 } as const;

/** A relation that a statement names, and what the statement does to its rows. */
export interface NamedRelation {
  readonly name: string;
  readonly events: number;
  /** Columns without a given value get their default. */
  readonly defaults: boolean;
  /** Columns that values are given for. */
  readonly given: readonly string[];
  /** Without a list of columns: how many values are given, for the first columns. */
  readonly given_first: number;
}

/** What a statement names, of which the database knows what is behind the names. */
export interface Named {
  readonly relations: readonly NamedRelation[];
  readonly calls: readonly CalledName[];
  /** Relations with secrets. */
  readonly secrets: readonly string[];
}

/** Finds the names in a statement that reads or changes rows. */
export function namedIn(statement: Statement): Named {
  const nodes = nodesOf(statement);
  const hasDefault = nodes.some(({ kind }) => kind === 'SetToDefault');
  return {
    relations: [...nodes.flatMap(readBy), ...nodes.flatMap((node) => writtenBy(node, hasDefault))],
    calls: [...calledIn(nodes), ...nodes.flatMap(sampledBy)],
    secrets: [...new Set(nodes.flatMap(({ fields }) => secretIn(fields) ?? []))],
  };
}

function readBy({ fields }: SyntaxNode): readonly NamedRelation[] {
  const name = relationName(fields);
  return name === undefined ? [] : [{ ...UNTOUCHED, name, events: EVENTS.read, defaults: false }];
}

function writtenBy({ kind, fields }: SyntaxNode, hasDefault: boolean): readonly NamedRelation[] {
  const write = Object.hasOwn(WRITES, kind) ? WRITES[kind]?.(fields, hasDefault) : undefined;
  const name = relationName(fieldsOf(fields['relation']));
  return write === undefined || name === undefined ? [] : [{ ...UNTOUCHED, ...write, name }];
}

const UNTOUCHED = { given: [], given_first: 0 } as const;

type Write = Pick<NamedRelation, 'events' | 'defaults'> & Partial<NamedRelation>;

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

/** Columns of an INSERT that get no default. OVERRIDING USER VALUE drops the values of identity columns. */
function givenTo({ cols, selectStmt, override }: Fields): Partial<NamedRelation> {
  if (override === 'OVERRIDING_USER_VALUE' || selectStmt === undefined) return {};
  if (cols !== undefined) return { given: nodesIn(cols).map(({ fields: { name } }) => String(name)) };
  const { valuesLists, targetList } = fieldsOf(nodeOf(selectStmt)?.fields);
  const [row] = listOf(valuesLists);
  const values = row === undefined ? listOf(targetList) : listOf(nodeOf(row)?.fields['items']);
  const isExpanded = nodesOf({ kind: 'values', fields: { values } }).some(({ kind }) => kind === 'A_Star');
  return isExpanded ? {} : { given_first: values.length };
}

/** The method of a TABLESAMPLE is a function. */
function sampledBy({ kind, fields: { method } }: SyntaxNode): readonly CalledName[] {
  if (kind !== 'RangeTableSample') return [];
  const path = nameIn(method);
  const name = path.at(-1) ?? '';
  return SYSTEM_METHODS.has(name) ? [] : [{ kind: 'function', schema: path.at(-2), name, arguments: undefined }];
}

const SYSTEM_METHODS: ReadonlySet<string> = new Set(['bernoulli', 'system']);
