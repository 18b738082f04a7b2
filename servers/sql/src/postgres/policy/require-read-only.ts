import { ToolError } from '@org/mcp-decorators';

import { foldName, toNode, toNodes, type Statement, type SyntaxNode } from './parse/syntax-tree.ts';

const ROOTS: ReadonlySet<string> = new Set(['SelectStmt', 'ExplainStmt', 'VariableShowStmt']);
/** Kinds of statements that write, which EXPLAIN without ANALYZE plans without running. */
const PLANNED: ReadonlySet<string> = new Set(['InsertStmt', 'UpdateStmt', 'DeleteStmt', 'MergeStmt']);
/** Kinds of nodes that are statements. Names of fields that contain a statement begin with a lower-case letter. */
const STATEMENT = /^[A-Z]\w*Stmt$/;
/** Clauses with which a SELECT does more than read. */
const CLAUSES: ReadonlyMap<string, string> = new Map([
  ['intoClause', 'INTO'],
  ['LockingClause', 'a locking clause'],
]);
/** Relations with passwords, connection strings, contents of configuration files, or large objects of other users. */
const SECRETS: ReadonlySet<string> = new Set([
  'pg_authid',
  'pg_shadow',
  'pg_user_mapping',
  'pg_user_mappings',
  'user_mapping_options',
  '_pg_user_mappings',
  'pg_subscription',
  'pg_hba_file_rules',
  'pg_ident_file_mappings',
  'pg_file_settings',
  'pg_largeobject',
]);
const SYSTEM_SCHEMAS: ReadonlySet<unknown> = new Set(['', 'pg_catalog', 'information_schema']);

/**
 * Rejects a statement that does not only read, or that contains such a statement.
 *
 * @param nodes all nodes of the statement
 * @throws ToolError READ_ONLY for such a statement; POLICY_DENIED for a relation with secrets
 */
export function requireReadOnly(statement: Statement, nodes: readonly SyntaxNode[]): void {
  if (!ROOTS.has(statement.kind)) throw notARead('statement', formatStatement(statement));
  const planned = findPlanned(statement);
  for (const { kind, fields } of nodes) {
    const clause = CLAUSES.get(kind);
    if (clause !== undefined) throw notARead('clause', clause);
    if (STATEMENT.test(kind) && !ROOTS.has(kind) && fields !== planned?.fields)
      throw notARead('statement', formatStatement({ kind, fields }));
    if (kind === 'RangeVar' || kind === 'relation') requireNoSecret(fields);
  }
}

/**
 * Returns the statement that EXPLAIN only plans, which requires that the option ANALYZE is absent. The value of the option does not
 * matter.
 */
function findPlanned({ kind, fields: { query, options } }: Statement): SyntaxNode | undefined {
  if (kind !== 'ExplainStmt') return undefined;
  const analyzed = toNodes(options).some(({ fields: { defname } }) => defname === 'analyze');
  const planned = toNode(query);
  return !analyzed && planned !== undefined && PLANNED.has(planned.kind) ? planned : undefined;
}

/** Returns the name of the relation to which a node refers, if that relation contains secrets. Otherwise returns `undefined`. */
export function findSecretRelation({ schemaname, relname }: SyntaxNode['fields']): string | undefined {
  const name = foldName(relname);
  return SECRETS.has(name) && SYSTEM_SCHEMAS.has(foldName(schemaname)) ? name : undefined;
}

function requireNoSecret(fields: SyntaxNode['fields']): void {
  const name = findSecretRelation(fields);
  if (name === undefined) return;
  throw new ToolError('POLICY_DENIED', `${name} contains secrets`, {
    hint: 'the operator may allow it with --policy off',
    data: { rule: 'secret-relation', name, option: '--policy off' },
  });
}

function notARead(rule: string, name: string): ToolError {
  return new ToolError('READ_ONLY', `${name} is not a read, so the statement was not run`, {
    hint: HINTS[name] ?? GENERAL_HINT,
    data: { rule, name, option: '--writable' },
  });
}

const GENERAL_HINT =
  'SELECT, VALUES, TABLE, WITH, SHOW and EXPLAIN read, without INTO and FOR UPDATE; the tool execute, if available, runs statements that write';

const HINTS: Readonly<Record<string, string>> = {
  COPY: 'the tool export writes the rows of a query to a file',
  SET: 'settings do not persist after a call; write the values into the statement',
  BEGIN: 'each call runs one statement in its own transaction',
  'DECLARE CURSOR': 'the tool fetch_result reads the next rows of a stored result',
  FETCH: 'the tool fetch_result reads the next rows of a stored result',
};

/** Returns the command of a statement in SQL: `CreateTableAsStmt` becomes CREATE TABLE AS. */
function formatStatement({ kind, fields }: SyntaxNode): string {
  if (kind === 'VacuumStmt') return fields['is_vacuumcmd'] === true ? 'VACUUM' : 'ANALYZE';
  if (kind === 'TransactionStmt') return 'BEGIN';
  const words = kind.replace(/Stmt$/, '').replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ');
  return COMMANDS[kind] ?? words.toUpperCase();
}

/** Commands whose kinds have other names in the parser. */
const COMMANDS: Readonly<Record<string, string>> = {
  CreateStmt: 'CREATE TABLE',
  CreateSeqStmt: 'CREATE SEQUENCE',
  CreateTrigStmt: 'CREATE TRIGGER',
  DefineStmt: 'CREATE',
  DoStmt: 'DO',
  GrantStmt: 'GRANT',
  GrantRoleStmt: 'GRANT',
  IndexStmt: 'CREATE INDEX',
  RefreshMatViewStmt: 'REFRESH MATERIALIZED VIEW',
  RenameStmt: 'ALTER … RENAME',
  RuleStmt: 'CREATE RULE',
  VariableSetStmt: 'SET',
  ViewStmt: 'CREATE VIEW',
};
