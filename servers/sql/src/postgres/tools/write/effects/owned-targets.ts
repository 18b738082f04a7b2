import { toFields, toNodes, type Fields, type Statement } from '../../../policy/parse/syntax-tree.ts';
import { relationName } from '../../../policy/parse/relation-name.ts';
import { findDroppedRelations } from './targets.ts';

/** The right that allows a statement to a role that does not own the relation. */
export type FurtherRight = 'none' | 'schema owner' | 'maintenance';

/** The relations that a statement may change only with the rights of an owner, and the right that can replace these rights. */
export interface OwnedTargets {
  /** Names in the syntax of `regclass`. */
  readonly names: readonly string[];
  readonly further: FurtherRight;
}

/** Finds the relations whose ownership PostgreSQL checks; empty for a statement that needs other rights. */
export function findOwnedTargets({ kind, fields }: Statement): OwnedTargets {
  const find = Object.hasOwn(OWNED, kind) ? OWNED[kind] : undefined;
  return find?.(fields) ?? { names: [], further: 'none' };
}

function nameRelation(relation: unknown): readonly string[] {
  const name = relationName(toFields(relation));
  return name === undefined ? [] : [name];
}

const ofField =
  (field: string, further: FurtherRight = 'none') =>
  (fields: Fields): OwnedTargets => ({ names: nameRelation(fields[field]), further });

const OWNED: Readonly<Record<string, (fields: Fields) => OwnedTargets>> = {
  DropStmt: (fields) => ({ names: findDroppedRelations(fields), further: 'schema owner' }),
  AlterTableStmt: ofField('relation'),
  RenameStmt: ofField('relation'),
  AlterObjectSchemaStmt: ofField('relation'),
  IndexStmt: ofField('relation'),
  RuleStmt: ofField('relation'),
  CreatePolicyStmt: ofField('table'),
  AlterPolicyStmt: ofField('table'),
  RefreshMatViewStmt: ofField('relation', 'maintenance'),
  ClusterStmt: ofField('relation', 'maintenance'),
  ReindexStmt: ofField('relation', 'maintenance'),
  VacuumStmt: ({ rels }) => ({
    names: toNodes(rels).flatMap(({ fields }) => nameRelation(fields['relation'])),
    further: 'maintenance',
  }),
};
