import { getName, toNodes, collectNodes, toList, type Fields, type Statement } from '../../../policy/parse/syntax-tree.ts';

/** Returns the names of the relations that a statement works on, in the syntax of `regclass`. */
export function findTargets(statement: Statement): readonly string[] {
  const dropped =
    statement.kind === 'DropStmt' && RELATIONS.has(String(statement.fields['removeType'])) ? findDropped(statement) : [];
  const named = collectNodes(statement).flatMap(({ fields }) => relationName(fields) ?? []);
  return [...new Set([...dropped, ...named])];
}

/** Returns the name of the relation to which a node refers, in the syntax of `regclass`. */
export function relationName({ relname, schemaname }: Fields): string | undefined {
  if (typeof relname !== 'string') return undefined;
  return quoteQualified(typeof schemaname === 'string' ? [schemaname, relname] : [relname]);
}

const RELATIONS = new Set([
  'OBJECT_TABLE',
  'OBJECT_INDEX',
  'OBJECT_VIEW',
  'OBJECT_MATVIEW',
  'OBJECT_SEQUENCE',
  'OBJECT_FOREIGN_TABLE',
]);

function findDropped({ fields: { objects } }: Statement): readonly string[] {
  return toNodes(toList(objects)).map(({ fields: { items } }) => quoteQualified(getName(items)));
}

function quoteQualified(parts: readonly string[]): string {
  return parts.map((part) => `"${part.replaceAll('"', '""')}"`).join('.');
}
