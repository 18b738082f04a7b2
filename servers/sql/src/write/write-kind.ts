import { nodesIn, nodesOf, type Fields, type Statement } from '../policy/syntax-tree.ts';

/**
 * Execution mode of a statement that may write. `rows`: the statement may be rehearsed in a transaction that is rolled back.
 * `schema`: for a preview, the statement is examined but does not run. `alone`: like `schema`, and it cannot run inside a
 * transaction.
 */
export type WriteKind = 'rows' | 'schema' | 'alone';

/** Why a statement is not run at all, and what to do instead. */
export interface Refused {
  readonly reason: string;
  readonly hint: string;
}

/** How a statement is run, or why not. */
export function writeKindOf(statement: Statement): WriteKind | Refused {
  const { kind, fields } = statement;
  if (Object.hasOwn(REFUSED, kind)) return REFUSED[kind] ?? TRANSACTION;
  if (Object.hasOwn(ALONE, kind) && ALONE[kind]?.(fields)) return 'alone';
  if (!ROWS.has(kind)) return 'schema';
  return Array.from(nodesOf(statement)).some((node) => node.kind === 'intoClause') ? 'schema' : 'rows';
}

/** Whether a `DefElem` of that name stands in a list, and is not switched off. */
export function isSet(options: unknown, name: string): boolean {
  const found = nodesIn(options).find(({ fields }) => fields['defname'] === name);
  return found !== undefined && !/"(?:false|off)"|"ival":\{\}/i.test(JSON.stringify(found.fields['arg'] ?? ''));
}

const ROWS = new Set(['InsertStmt', 'UpdateStmt', 'DeleteStmt', 'MergeStmt', 'SelectStmt']);

const TRANSACTION: Refused = {
  reason: 'each call is a transaction of its own',
  hint: 'to change several things together, write one statement: WITH … or DO',
};
const SESSION: Refused = { reason: 'nothing of a session outlives its call', hint: 'give each call all that it needs' };

const REFUSED: Readonly<Record<string, Refused>> = {
  TransactionStmt: TRANSACTION,
  ConstraintsSetStmt: TRANSACTION,
  LockStmt: TRANSACTION,
  VariableSetStmt: SESSION,
  PrepareStmt: SESSION,
  ExecuteStmt: SESSION,
  DeallocateStmt: SESSION,
  DiscardStmt: SESSION,
  ListenStmt: SESSION,
  UnlistenStmt: SESSION,
  DeclareCursorStmt: SESSION,
  FetchStmt: SESSION,
  ClosePortalStmt: SESSION,
  LoadStmt: SESSION,
  VariableShowStmt: { reason: 'it only reads', hint: 'query shows it' },
  ExplainStmt: { reason: 'it only shows a plan', hint: 'explain shows it' },
  CopyStmt: {
    reason: 'COPY reads and writes files and programs of the database server, or a stream that there is none of',
    hint: 'import takes rows, export gives them',
  },
};

const always = (): boolean => true;

/** What PostgreSQL refuses to run inside of a transaction block. */
const ALONE: Readonly<Record<string, (fields: Fields) => boolean>> = {
  VacuumStmt: ({ is_vacuumcmd }) => is_vacuumcmd === true,
  IndexStmt: ({ concurrent }) => concurrent === true,
  DropStmt: ({ concurrent }) => concurrent === true,
  ReindexStmt: ({ kind, params }) => isSet(params, 'concurrently') || !/_(?:INDEX|TABLE)$/.test(String(kind)),
  ClusterStmt: ({ relation }) => relation === undefined,
  AlterTableStmt: ({ cmds }) =>
    nodesIn(cmds).some(({ fields }) => JSON.stringify(fields['def'] ?? '').includes('"concurrent":true')),
  CreatedbStmt: always,
  DropdbStmt: always,
  AlterDatabaseStmt: ({ options }) => isSet(options, 'tablespace'),
  AlterSystemStmt: always,
  CreateTableSpaceStmt: always,
  DropTableSpaceStmt: always,
  CreateSubscriptionStmt: always,
  DropSubscriptionStmt: always,
  AlterSubscriptionStmt: always,
};
