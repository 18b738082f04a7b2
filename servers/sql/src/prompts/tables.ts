import type { RequestContext } from '@org/mcp-decorators';

import { DescribeInput } from '../operations/describe.ts';
import { SearchObjectsInput } from '../operations/search-objects.ts';
import { named, type DatabaseArguments } from './database-arguments.ts';
import { shown, type Material, type PromptTools } from './prompt-message.ts';

/** More would be more than a model reads with care. */
const MOST_TABLES = 12;
const MOST_LISTED = 300;

/** The tables and views of a schema, or of all. */
export function listed(
  tools: PromptTools,
  { schema, ...given }: DatabaseArguments & { readonly schema?: string | undefined },
  context: RequestContext,
): Promise<readonly Material[]> {
  const input = { ...named(given), limit: MOST_LISTED, ...(schema !== undefined && { schema }) };
  return shown('Tables and views', tools.searchObjects(Object.assign(new SearchObjectsInput(), input), context));
}

/** What is known of tables; those that are not there are left out. */
export async function described(
  tools: PromptTools,
  { tables, ...given }: DatabaseArguments & { readonly tables: readonly string[] },
  context: RequestContext,
): Promise<readonly Material[]> {
  const all = [...new Set(tables)].slice(0, MOST_TABLES).map((object) => {
    const input = Object.assign(new DescribeInput(), { ...named(given), object });
    return shown(object, tools.describe(input, context));
  });
  return (await Promise.all(all)).flat();
}

/** Names that a statement has where tables are named; some may be those of something else. */
export function tablesIn(sql: string): readonly string[] {
  const names: string[] = [];
  // `on` precedes a table in `create index … on`, and a condition in any other statement.
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
