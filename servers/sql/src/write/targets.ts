import { nameIn, nodesIn, nodesOf, listOf, type Fields, type Statement } from '../policy/syntax-tree.ts';

/** Names of the relations that a statement works on, each as `regclass` reads it. */
export function targetsOf(statement: Statement): readonly string[] {
  const dropped =
    statement.kind === 'DropStmt' && RELATIONS.has(String(statement.fields['removeType'])) ? droppedIn(statement) : [];
  const named = nodesOf(statement).flatMap(({ fields }) => relationName(fields) ?? []);
  return [...new Set([...dropped, ...named])];
}

/** Returns the name of the relation to which a node refers, in the syntax of `regclass`. */
export function relationName({ relname, schemaname }: Fields): string | undefined {
  if (typeof relname !== 'string') return undefined;
  return qualified(typeof schemaname === 'string' ? [schemaname, relname] : [relname]);
}

const RELATIONS = new Set([
  'OBJECT_TABLE',
  'OBJECT_INDEX',
  'OBJECT_VIEW',
  'OBJECT_MATVIEW',
  'OBJECT_SEQUENCE',
  'OBJECT_FOREIGN_TABLE',
]);

function droppedIn({ fields: { objects } }: Statement): readonly string[] {
  return nodesIn(listOf(objects)).map(({ fields: { items } }) => qualified(nameIn(items)));
}

function qualified(parts: readonly string[]): string {
  return parts.map((part) => `"${part.replaceAll('"', '""')}"`).join('.');
}
