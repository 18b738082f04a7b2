import type { SendableSql } from '../policy/sendable-sql.ts';
import type { ReadKind } from './read-statement.ts';

const KINDS: Readonly<Record<string, ReadKind>> = {
  select: 'wrapped',
  values: 'wrapped',
  table: 'wrapped',
  with: 'wrapped',
  '(': 'wrapped',
  explain: 'direct',
  show: 'direct',
};

/** How to run a statement, by its first word; one that starts otherwise does not read. */
export function readKind({ text: sql }: SendableSql): ReadKind {
  const word = /^(?:[a-z]+|\()/i.exec(sql.slice(skipBlank(sql)))?.[0].toLowerCase() ?? '';
  return (Object.hasOwn(KINDS, word) ? KINDS[word] : undefined) ?? 'parsed';
}

/** Where blanks, comments and empty statements end; comments nest. */
function skipBlank(sql: string): number {
  const token = /[ \t\n\r\f\v;]+|--[^\n\r]*|\/\*/y;
  let end = 0;
  for (;;) {
    token.lastIndex = end;
    const found = token.exec(sql)?.[0];
    if (found === undefined) return end;
    end = found === '/*' ? commentEnd(sql, end) : token.lastIndex;
  }
}

function commentEnd(sql: string, start: number): number {
  const mark = /\/\*|\*\//g;
  mark.lastIndex = start;
  let depth = 0;
  for (let found = mark.exec(sql); found !== null; found = mark.exec(sql)) {
    depth += found[0] === '/*' ? 1 : -1;
    if (depth === 0) return mark.lastIndex;
  }
  return sql.length;
}
