import { nodeOf, nodesIn, nodesOf, type Fields, type Statement, type SyntaxNode } from '../policy/syntax-tree.ts';
import { isSet } from './write-kind.ts';

/** What stands out in a statement that writes, by its text alone. */
export interface Lint {
  /** The table lock that it takes, where that keeps others waiting: `ACCESS EXCLUSIVE`. */
  readonly lock: string | undefined;
  readonly warnings: readonly string[];
}

/** Says what a statement may do that its author may not have meant. */
export function lint(statement: Statement): Lint {
  const { kind, fields } = statement;
  const lock = Object.hasOwn(LOCKS, kind) ? LOCKS[kind]?.(fields) : undefined;
  const warnings = [...Array.from(nodesOf(statement)).flatMap(unconditional), ...ofKind(statement), ...waiting(lock)];
  return { lock, warnings };
}

function ofKind({ kind, fields }: Statement): readonly string[] {
  return [
    ...(fields['behavior'] === 'DROP_CASCADE' ? [CASCADES[kind] ?? 'CASCADE: whatever depends on it goes as well'] : []),
    ...(kind === 'IndexStmt' && fields['concurrent'] !== true ? [PLAIN_INDEX] : []),
    ...(kind === 'AlterTableStmt' ? nodesIn(fields['cmds']).flatMap(alterWarnings) : []),
    ...(kind === 'DoStmt' || kind === 'CallStmt' ? [CODE] : []),
  ];
}

function waiting(lock: string | undefined): readonly string[] {
  const effect = lock !== undefined && Object.hasOwn(WAITING, lock) ? WAITING[lock] : undefined;
  return effect === undefined ? [] : [`takes the lock ${lock}: ${effect}`];
}

function unconditional({ kind, fields }: SyntaxNode): readonly string[] {
  if (kind !== 'UpdateStmt' && kind !== 'DeleteStmt') return [];
  const where = fields['whereClause'];
  const command = kind === 'UpdateStmt' ? 'UPDATE' : 'DELETE';
  if (where === undefined) return [`${command} without WHERE: it takes every row`];
  return nodeOf(where)?.kind === 'A_Const' ? [`${command} whose WHERE is always the same: it takes every row, or none`] : [];
}

const CODE = 'the code was neither examined nor run for a preview';
const PLAIN_INDEX = 'others cannot write until the index is built; with CONCURRENTLY they can';

const CASCADES: Readonly<Record<string, string>> = {
  TruncateStmt: 'CASCADE: all rows of the tables that refer to it go as well',
};

const WAITING: Readonly<Record<string, string>> = {
  'ACCESS EXCLUSIVE': 'others can neither read nor write meanwhile',
  EXCLUSIVE: 'others can only read meanwhile',
  SHARE: 'others can only read meanwhile',
  'SHARE ROW EXCLUSIVE': 'others can only read meanwhile',
};

const exclusive = (): string => 'ACCESS EXCLUSIVE';
const shareRow = (): string => 'SHARE ROW EXCLUSIVE';
const quiet = (yes: boolean, lock: string): string => (yes ? 'SHARE UPDATE EXCLUSIVE' : lock);

/** From the manual's chapter on explicit locking, by the kind of statement. */
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
  AlterTableStmt: ({ cmds }) => strongest(nodesIn(cmds).map(lockOfCommand)),
};

function lockOfCommand({ fields }: SyntaxNode): string {
  const subtype = String(fields['subtype']);
  if (QUIET.test(subtype)) return 'SHARE UPDATE EXCLUSIVE';
  if (subtype === 'AT_AddConstraint' && JSON.stringify(fields['def']).includes('CONSTR_FOREIGN')) return 'SHARE ROW EXCLUSIVE';
  return TRIGGERS.test(subtype) ? 'SHARE ROW EXCLUSIVE' : 'ACCESS EXCLUSIVE';
}

const QUIET = /^AT_(?:ValidateConstraint|SetStatistics|ClusterOn|DropCluster|SetOptions|ResetOptions|AttachPartition)$/;
const TRIGGERS = /^AT_(?:Enable|Disable)(?:Always|Replica)?Trig/;
const STRENGTH = ['SHARE UPDATE EXCLUSIVE', 'SHARE ROW EXCLUSIVE', 'ACCESS EXCLUSIVE'];

function strongest(locks: readonly string[]): string {
  return STRENGTH.findLast((lock) => locks.includes(lock)) ?? 'ACCESS EXCLUSIVE';
}

function alterWarnings({ fields }: SyntaxNode): readonly string[] {
  const { subtype, name, def } = fields;
  const text = typeof subtype === 'string' && Object.hasOwn(ALTERS, subtype) ? ALTERS[subtype] : undefined;
  if (text === undefined) return [];
  if (subtype === 'AT_AddConstraint' && JSON.stringify(def).includes('"skip_validation":true')) return [];
  return [typeof name === 'string' ? `${name}: ${text}` : text];
}

const ALTERS: Readonly<Record<string, string>> = {
  AT_DropColumn: 'the column and its values go',
  AT_AlterColumnType: 'a new type may have the whole table and its indexes written anew',
  AT_SetNotNull: 'the whole table is read to see that it holds',
  AT_AddConstraint:
    'the whole table is read to see that it holds; NOT VALID, and VALIDATE CONSTRAINT later, does that without the lock',
  AT_AddColumn: 'a default that is volatile, an identity or a generated value has the whole table written anew',
  AT_SetLogged: 'the whole table is written anew',
  AT_SetUnLogged: 'the whole table is written anew, and is lost in a crash from then on',
  AT_SetTableSpace: 'the whole table is copied',
  AT_SetAccessMethod: 'the whole table is written anew',
};
