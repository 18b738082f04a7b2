import {
  toNode,
  toNodes,
  collectNodes,
  type Fields,
  type Statement,
  type SyntaxNode,
} from '../../../policy/parse/syntax-tree.ts';
import { isSet } from './write-kind.ts';

/** The table lock of a writing statement, and warnings about the statement, derived from its text. */
export interface Lint {
  /** Table lock of the statement, such as `ACCESS EXCLUSIVE`; `undefined` for a kind of statement that is not in `LOCKS`. */
  readonly lock: string | undefined;
  readonly warnings: readonly string[];
}

/** Returns the table lock of a statement, and warnings about effects that the author of the statement may not intend. */
export function lintStatement(statement: Statement): Lint {
  const { kind, fields } = statement;
  const lock = Object.hasOwn(LOCKS, kind) ? LOCKS[kind]?.(fields) : undefined;
  const warnings = [
    ...Array.from(collectNodes(statement)).flatMap(warnWithoutCondition),
    ...warnByKind(statement),
    ...warnAboutLock(lock),
  ];
  return { lock, warnings };
}

function warnByKind({ kind, fields }: Statement): readonly string[] {
  return [
    ...(fields['behavior'] === 'DROP_CASCADE' ? [CASCADES[kind] ?? 'CASCADE: dependent objects are dropped too'] : []),
    ...(kind === 'IndexStmt' && fields['concurrent'] !== true ? [PLAIN_INDEX] : []),
    ...(kind === 'AlterTableStmt' ? toNodes(fields['cmds']).flatMap(warnAboutAlter) : []),
    ...(kind === 'DoStmt' || kind === 'CallStmt' ? [CODE] : []),
  ];
}

/**
 * Returns what other sessions cannot do while a table lock is held. Returns `undefined` for a lock that blocks neither reads nor
 * writes.
 */
export function describeLock(lock: string | undefined): string | undefined {
  return lock !== undefined && Object.hasOwn(WAITING, lock) ? WAITING[lock] : undefined;
}

function warnAboutLock(lock: string | undefined): readonly string[] {
  const effect = describeLock(lock);
  return effect === undefined ? [] : [`takes the lock ${lock}: ${effect}`];
}

function warnWithoutCondition({ kind, fields }: SyntaxNode): readonly string[] {
  if (kind !== 'UpdateStmt' && kind !== 'DeleteStmt') return [];
  const where = fields['whereClause'];
  const command = kind === 'UpdateStmt' ? 'UPDATE' : 'DELETE';
  if (where === undefined) return [`${command} without WHERE: all rows are affected`];
  return toNode(where)?.kind === 'A_Const' ? [`${command} with a constant WHERE: all rows are affected, or no row`] : [];
}

const CODE = 'the code was neither examined nor run for a preview';
const PLAIN_INDEX = 'other sessions cannot write until the index is built; CONCURRENTLY avoids that';

const CASCADES: Readonly<Record<string, string>> = {
  TruncateStmt: 'CASCADE: tables that reference the table are truncated too',
};

const WAITING: Readonly<Record<string, string>> = {
  'ACCESS EXCLUSIVE': 'other sessions can neither read nor write while the lock is held',
  EXCLUSIVE: 'other sessions can only read while the lock is held',
  SHARE: 'other sessions can only read while the lock is held',
  'SHARE ROW EXCLUSIVE': 'other sessions can only read while the lock is held',
};

const exclusive = (): string => 'ACCESS EXCLUSIVE';
const shareRow = (): string => 'SHARE ROW EXCLUSIVE';
const quiet = (yes: boolean, lock: string): string => (yes ? 'SHARE UPDATE EXCLUSIVE' : lock);

/** Table locks by kind of statement, from the manual's chapter on explicit locking. */
const LOCKS: Readonly<Record<string, (fields: Fields) => string>> = {
  TruncateStmt: exclusive,
  DropStmt: ({ concurrent }) => quiet(concurrent === true, 'ACCESS EXCLUSIVE'),
  IndexStmt: ({ concurrent }) => quiet(concurrent === true, 'SHARE'),
  ReindexStmt: ({ params }) => quiet(isSet(params, 'concurrently'), 'ACCESS EXCLUSIVE'),
  VacuumStmt: ({ options }) => quiet(!isSet(options, 'full'), 'ACCESS EXCLUSIVE'),
  ClusterStmt: exclusive,
  RefreshMatViewStmt: ({ concurrent }) => (concurrent === true ? 'EXCLUSIVE' : 'ACCESS EXCLUSIVE'),
  RenameStmt: exclusive,
  ViewStmt: exclusive,
  RuleStmt: exclusive,
  CreatePolicyStmt: exclusive,
  AlterPolicyStmt: exclusive,
  AlterObjectSchemaStmt: exclusive,
  CreateTrigStmt: shareRow,
  AlterTableStmt: ({ cmds }) => findStrongest(toNodes(cmds).map(findAlterLock)),
};

function findAlterLock({ fields }: SyntaxNode): string {
  const subtype = String(fields['subtype']);
  if (QUIET.test(subtype)) return 'SHARE UPDATE EXCLUSIVE';
  if (subtype === 'AT_AddConstraint' && JSON.stringify(fields['def']).includes('CONSTR_FOREIGN')) return 'SHARE ROW EXCLUSIVE';
  return TRIGGERS.test(subtype) ? 'SHARE ROW EXCLUSIVE' : 'ACCESS EXCLUSIVE';
}

const QUIET = /^AT_(?:ValidateConstraint|SetStatistics|ClusterOn|DropCluster|SetOptions|ResetOptions|AttachPartition)$/;
const TRIGGERS = /^AT_(?:Enable|Disable)(?:Always|Replica)?Trig/;
const STRENGTH = ['SHARE UPDATE EXCLUSIVE', 'SHARE ROW EXCLUSIVE', 'ACCESS EXCLUSIVE'];

function findStrongest(locks: readonly string[]): string {
  return STRENGTH.findLast((lock) => locks.includes(lock)) ?? 'ACCESS EXCLUSIVE';
}

function warnAboutAlter({ fields }: SyntaxNode): readonly string[] {
  const { subtype, name, def } = fields;
  const text = typeof subtype === 'string' && Object.hasOwn(ALTERS, subtype) ? ALTERS[subtype] : undefined;
  if (text === undefined) return [];
  if (subtype === 'AT_AddConstraint' && JSON.stringify(def).includes('"skip_validation":true')) return [];
  return [typeof name === 'string' ? `${name}: ${text}` : text];
}

const ALTERS: Readonly<Record<string, string>> = {
  AT_DropColumn: 'the column and its values are removed',
  AT_AlterColumnType: 'a new type may require rewriting the table and its indexes',
  AT_SetNotNull: 'the whole table is scanned to validate the constraint',
  AT_AddConstraint:
    'the whole table is scanned while the lock is held. A CHECK or FOREIGN KEY constraint can be added with NOT VALID, which holds the lock briefly; VALIDATE CONSTRAINT checks the rows later',
  AT_AddColumn: 'a volatile default, an identity or a stored generated value requires rewriting the table',
  AT_SetLogged: 'the whole table is rewritten',
  AT_SetUnLogged: 'the whole table is rewritten, and from then on a crash empties it',
  AT_SetTableSpace: 'the whole table is copied',
  AT_SetAccessMethod: 'the whole table is rewritten',
};
