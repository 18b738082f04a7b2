import { toNodes, collectNodes, type Fields, type Statement } from '../../../policy/parse/syntax-tree.ts';

/**
 * Execution mode of a statement that may write. `rows`: a dry run may run the statement and roll it back. `schema`: a dry run only
 * examines the statement. `outsideTransaction`: like `schema`, and PostgreSQL does not run the statement inside a transaction.
 */
export type WriteKind = 'rows' | 'schema' | 'outsideTransaction';

/** Why `execute` does not run a statement, and what the caller can do instead. */
export interface Refused {
  readonly reason: string;
  readonly hint: string;
}

/** Returns how `execute` runs a statement, or why `execute` does not run the statement. */
export function classifyWrite(statement: Statement): WriteKind | Refused {
  const { kind, fields } = statement;
  if (Object.hasOwn(REFUSED, kind)) return REFUSED[kind] ?? TRANSACTION;
  if (Object.hasOwn(OUTSIDE, kind) && OUTSIDE[kind]?.(fields)) return 'outsideTransaction';
  if (!ROWS.has(kind)) return 'schema';
  return Array.from(collectNodes(statement)).some((node) => node.kind === 'intoClause') ? 'schema' : 'rows';
}

/** Whether a list of options contains an option with this name, and the value of the option is not `false`, `off` or 0. */
export function isSet(options: unknown, name: string): boolean {
  const found = toNodes(options).find(({ fields }) => fields['defname'] === name);
  return found !== undefined && !/"(?:false|off)"|"ival":\{\}/i.test(JSON.stringify(found.fields['arg'] ?? ''));
}

const ROWS = new Set(['InsertStmt', 'UpdateStmt', 'DeleteStmt', 'MergeStmt', 'SelectStmt']);

const TRANSACTION: Refused = {
  reason: 'each call has its own transaction',
  hint: 'to make several changes together, write one statement: WITH … or DO',
};
const SESSION: Refused = {
  reason: 'session state, such as settings and cursors, does not persist after a call',
  hint: 'write one statement that includes everything it needs',
};

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
  VariableShowStmt: { reason: 'the statement only reads', hint: 'use query' },
  ExplainStmt: { reason: 'the statement only shows a plan', hint: 'use explain' },
  CopyStmt: {
    reason:
      'COPY accesses files or programs on the database server, or requires a client stream, which a tool call cannot provide',
    hint: 'use import to add rows, export to read them',
  },
};

const always = (): boolean => true;

/** Statements that PostgreSQL does not run inside a transaction. */
const OUTSIDE: Readonly<Record<string, (fields: Fields) => boolean>> = {
  VacuumStmt: ({ is_vacuumcmd }) => is_vacuumcmd === true,
  IndexStmt: ({ concurrent }) => concurrent === true,
  DropStmt: ({ concurrent }) => concurrent === true,
  ReindexStmt: ({ kind, params }) => isSet(params, 'concurrently') || !/_(?:INDEX|TABLE)$/.test(String(kind)),
  ClusterStmt: ({ relation }) => relation === undefined,
  AlterTableStmt: ({ cmds }) =>
    toNodes(cmds).some(({ fields }) => JSON.stringify(fields['def'] ?? '').includes('"concurrent":true')),
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
