/** Returns the names that follow keywords such as FROM and JOIN; some may be names of objects that are not tables. */
export function findTableNames(sql: string): readonly string[] {
  const names: string[] = [];
  // `on` precedes a table in `create index … on`. In other statements, `on` usually precedes a condition, so the word after it is
  // ignored.
  let isIndex = false;
  for (const [text, index, word, name] of sql.matchAll(NAMED)) {
    const keyword = (index ?? word ?? '').toLowerCase();
    if (name !== undefined && (keyword !== 'on' || isIndex)) names.push(name);
    isIndex = keyword === 'index' || (isIndex && text !== ';' && keyword !== 'on');
  }
  return names;
}

const PART = '(?:"(?:[^"]|"")+"|[\\p{L}_][\\p{L}\\p{N}_$]*)';
const NAMED = new RegExp(
  `;|\\b(index)\\s|\\b(from|join|into|update|table|only|references|truncate|on)\\s+(?:if\\s+(?:not\\s+)?exists\\s+)?(?:only\\s+)?(${PART}(?:\\.${PART})?)`,
  'giu',
);
