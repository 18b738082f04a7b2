import type { Fields } from './syntax-tree.ts';

/** Returns the name of the relation to which a node refers, in the syntax of `regclass`; `undefined` for any other node. */
export function relationName({ relname, schemaname }: Fields): string | undefined {
  if (typeof relname !== 'string') return undefined;
  return quoteQualified(typeof schemaname === 'string' ? [schemaname, relname] : [relname]);
}

/** Returns the parts of a name as one quoted name. */
export function quoteQualified(parts: readonly string[]): string {
  return parts.map((part) => `"${part.replaceAll('"', '""')}"`).join('.');
}
