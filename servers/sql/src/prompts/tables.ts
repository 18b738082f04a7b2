import type { RequestContext } from '@org/mcp-decorators';

import { DescribeInput } from '../tools/schema/describe.ts';
import { SearchObjectsInput } from '../tools/schema/search-objects.ts';
import { pickDatabase, type DatabaseArguments } from './database-arguments.ts';
import { collectMaterial, type Material, type PromptTools } from './prompt-message.ts';

/** Maximum number of described tables: models read longer prompts less carefully. */
const MOST_TABLES = 12;
const MOST_LISTED = 300;

/** Lists the tables and views of one schema, or of all schemas. */
export function listTables(
  tools: PromptTools,
  { schema, ...given }: DatabaseArguments & { readonly schema?: string | undefined },
  context: RequestContext,
): Promise<readonly Material[]> {
  const input = { ...pickDatabase(given), limit: MOST_LISTED, ...(schema !== undefined && { schema }) };
  return collectMaterial('Tables and views', tools.searchObjects(Object.assign(new SearchObjectsInput(), input), context));
}

/** Describes the existing tables of a list. */
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
