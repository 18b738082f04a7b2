import { ToolError } from '@org/mcp-decorators';

import { folded, nodeOf, nodesIn, type Statement, type SyntaxNode } from './syntax-tree.ts';

const ROOTS: ReadonlySet<string> = new Set(['SelectStmt', 'ExplainStmt', 'VariableShowStmt']);
/** What EXPLAIN plans without running it. */
const PLANNED: ReadonlySet<string> = new Set(['InsertStmt', 'UpdateStmt', 'DeleteStmt', 'MergeStmt']);
/** Fields that hold one begin with a small letter. */
const STATEMENT = /^[A-Z]\w*Stmt$/;
/** Clauses by which a SELECT does more than read. */
const CLAUSES: ReadonlyMap<string, string> = new Map([
  ['intoClause', 'INTO'],
  ['LockingClause', 'a locking clause'],
]);
/** Passwords, connection strings, and what others have stored. */
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
 * Refuses a statement that is not a read, or has one in it that is not.
 *
 * @param nodes all that it is made of
 * @throws ToolError READ_ONLY or POLICY_DENIED
 */
export function requireReading(statement: Statement, nodes: readonly SyntaxNode[]): void {
  if (!ROOTS.has(statement.kind)) throw notARead('statement', spoken(statement.kind));
  const planned = plannedBy(statement);
  for (const { kind, fields } of nodes) {
    const clause = CLAUSES.get(kind);
    if (clause !== undefined) throw notARead('clause', clause);
    if (STATEMENT.test(kind) && !ROOTS.has(kind) && fields !== planned?.fields) throw notARead('statement', spoken(kind));
    if (kind === 'RangeVar' || kind === 'relation') requireNoSecret(fields);
  }
}

/** The statement that is only planned: one that EXPLAIN is not told to ANALYZE, whatever value it is told. */
function plannedBy({ kind, fields: { query, options } }: Statement): SyntaxNode | undefined {
  if (kind !== 'ExplainStmt') return undefined;
  const analyzed = nodesIn(options).some(({ fields: { defname } }) => defname === 'analyze');
  const planned = nodeOf(query);
  return !analyzed && planned !== undefined && PLANNED.has(planned.kind) ? planned : undefined;
}

/** Returns the name of a relation with secrets if a node refers to one. */
export function secretIn({ schemaname, relname }: SyntaxNode['fields']): string | undefined {
  const name = folded(relname);
  return SECRETS.has(name) && SYSTEM_SCHEMAS.has(folded(schemaname)) ? name : undefined;
}

function requireNoSecret(fields: SyntaxNode['fields']): void {
  const name = secretIn(fields);
  if (name === undefined) return;
  throw new ToolError('POLICY_DENIED', `${name} holds secrets`, {
    hint: 'the operator may allow it with --policy off',
    data: { rule: 'secret-relation', name, option: '--policy off' },
  });
}

function notARead(rule: string, name: string): ToolError {
  return new ToolError('READ_ONLY', `${name} is not a read, so the statement was not run`, {
    hint: 'SELECT, VALUES, TABLE, WITH, SHOW and EXPLAIN are, without INTO and FOR UPDATE; execute, where it is offered, runs what writes',
    data: { rule, name, option: '--writable' },
  });
}

/** `CreateTableAsStmt` is CREATE TABLE AS. */
function spoken(kind: string): string {
  const words = kind.replace(/Stmt$/, '').replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ');
  return words.toUpperCase();
}
