import type { RequestContext, Result } from '@org/mcp-decorators';

import { quoteName } from '../catalog/object-name.ts';
import { DescribeInput } from '../tools/schema/describe.ts';
import { SearchObjectsInput, type DatabaseObjects } from '../tools/schema/search-objects.ts';
import { pickDatabase, type DatabaseArguments } from './database-arguments.ts';
import { collectMaterial, type Material, type PromptTools } from './prompt-message.ts';

/** Maximum number of described tables: models read longer prompts less carefully. */
const MOST_TABLES = 12;
const MOST_LISTED = 300;

/** Lists at most 300 schemas, tables and views. With `schema`, lists only this schema with its tables and views. */
export function listTables(
  tools: PromptTools,
  { schema, ...given }: DatabaseArguments & { readonly schema?: string | undefined },
  context: RequestContext,
): Promise<readonly Material[]> {
  const input = { ...pickDatabase(given), limit: MOST_LISTED, ...(schema !== undefined && { schema }) };
  return collectMaterial('Tables and views', tools.searchObjects(Object.assign(new SearchObjectsInput(), input), context));
}

/** Describes the tables with the first 12 different names of a list. Tables that do not exist are omitted. */
export async function describeTables(
  tools: PromptTools,
  { tables, ...given }: DatabaseArguments & { readonly tables: readonly string[] },
  context: RequestContext,
): Promise<readonly Material[]> {
  const all = [...new Set(tables)].slice(0, MOST_TABLES).map((object) => {
    const input = Object.assign(new DescribeInput(), { ...pickDatabase(given), object });
    return collectMaterial(object, tools.describe(input, context));
  });
  return (await Promise.all(all)).flat();
}

/** Maximum number of words of a text that are searched, and maximum number of tables that these words may find. */
const MOST_WORDS = 12;
const MOST_FOUND = 6;
/** Minimum length of a searched word, because shorter words are in too many names. */
const LEAST_LETTERS = 4;

/**
 * Finds at most six tables and views whose names or comments contain words of a text. The tables and views that contain the most
 * words come first.
 */
export async function findMentionedTables(
  tools: PromptTools,
  { text, ...given }: DatabaseArguments & { readonly text: string },
  context: RequestContext,
): Promise<readonly string[]> {
  const searches = listWords(text).map(async (pattern) => {
    const input = Object.assign(new SearchObjectsInput(), { ...pickDatabase(given), kinds: TABLES, limit: MOST_FOUND, pattern });
    return readNames(await tools.searchObjects(input, context));
  });
  const counts = new Map<string, number>();
  for (const name of (await Promise.all(searches)).flat()) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts.keys()]
    .toSorted((first, second) => (counts.get(second) ?? 0) - (counts.get(first) ?? 0))
    .slice(0, MOST_FOUND);
}

const TABLES = ['table', 'view', 'materialized_view', 'foreign_table'];

/**
 * Returns the first 12 different words of a text that have at least four letters. An `s` at the end of a word is removed, because
 * a table may have the singular as its name.
 */
function listWords(text: string): readonly string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
  return [...new Set(words.filter(({ length }) => length >= LEAST_LETTERS).map((word) => word.replace(/(?<=...)s$/, '')))].slice(
    0,
    MOST_WORDS,
  );
}

function readNames({ structured }: Result): readonly string[] {
  const { objects = [] } = (structured ?? {}) as Partial<DatabaseObjects>;
  return objects.map(({ schema, name }) => `${quoteName(schema)}.${quoteName(name)}`);
}
