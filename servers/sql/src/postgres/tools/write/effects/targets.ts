import { quoteQualified, relationName } from '../../../policy/parse/relation-name.ts';
import { getName, toNodes, collectNodes, toList, type Fields, type Statement } from '../../../policy/parse/syntax-tree.ts';

/** Returns the names of the relations that a statement works on, in the syntax of `regclass`. */
export function findTargets(statement: Statement): readonly string[] {
  const dropped = statement.kind === 'DropStmt' ? findDroppedRelations(statement.fields) : [];
  const named = collectNodes(statement).flatMap(({ fields }) => relationName(fields) ?? []);
  return [...new Set([...dropped, ...named])];
}

/** Returns the names of the relations that a DROP names, in the syntax of `regclass`. */
export function findDroppedRelations({ removeType, objects }: Fields): readonly string[] {
  if (!RELATIONS.has(String(removeType))) return [];
  return toNodes(toList(objects)).map(({ fields: { items } }) => quoteQualified(getName(items)));
}

/** Returns the names of the schemas that a DROP names. */
export function findDroppedSchemas({ removeType, objects }: Fields): readonly string[] {
  return removeType === 'OBJECT_SCHEMA' ? getName(objects) : [];
}

const RELATIONS = new Set([
  'OBJECT_TABLE',
  'OBJECT_INDEX',
  'OBJECT_VIEW',
  'OBJECT_MATVIEW',
  'OBJECT_SEQUENCE',
  'OBJECT_FOREIGN_TABLE',
]);
