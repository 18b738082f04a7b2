import type { SendableSql } from '../policy/parse/sendable-sql.ts';
import type { ReadKind } from './protocol/read-statement.ts';

const KINDS: Readonly<Record<string, ReadKind>> = {
  select: 'wrapped',
  values: 'wrapped',
  table: 'wrapped',
  with: 'wrapped',
  '(': 'wrapped',
  explain: 'direct',
  show: 'direct',
};

/** Returns how to run a statement, by its first word. A statement with an unknown first word does not read, so it is only parsed. */
export function getReadKind({ text: sql }: SendableSql): ReadKind {
  const word = /^(?:[a-z]+|\()/i.exec(sql.slice(findStatementStart(sql)))?.[0].toLowerCase() ?? '';
  return (Object.hasOwn(KINDS, word) ? KINDS[word] : undefined) ?? 'parsed';
}

/** Returns the position after whitespace, comments and empty statements. Comments may be nested. */
function findStatementStart(sql: string): number {
  const token = /[ \t\n\r\f\v;]+|--[^\n\r]*|\/\*/y;
  let end = 0;
  for (;;) {
    token.lastIndex = end;
    const found = token.exec(sql)?.[0];
    if (found === undefined) return end;
    end = found === '/*' ? findCommentEnd(sql, end) : token.lastIndex;
  }
}

function findCommentEnd(sql: string, start: number): number {
  const mark = /\/\*|\*\//g;
  mark.lastIndex = start;
  let depth = 0;
  for (let found = mark.exec(sql); found !== null; found = mark.exec(sql)) {
    depth += found[0] === '/*' ? 1 : -1;
    if (depth === 0) return mark.lastIndex;
  }
  return sql.length;
}
