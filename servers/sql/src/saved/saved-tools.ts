import { Result, ToolError, type ListedTool, type RequestContext } from '@org/mcp-decorators';
import { LARGE_RESULTS } from '@org/mcp-host';

import { READS } from '../hints.ts';
import { QueryInput } from '../operations/query.ts';
import type { SavedEntry } from './saved-folder.ts';
import type { SavedQuery } from './saved-query.ts';

/** Runs a query as the tool `query` does. */
type RunQuery = (input: QueryInput, context: RequestContext) => Promise<Result>;

/** The tools of the files that can be used. */
export function savedTools(entries: readonly SavedEntry[], run: RunQuery, stale: () => void): readonly ListedTool[] {
  return entries.flatMap(({ query }) => (query === undefined ? [] : [savedTool(query, run, stale)]));
}

function savedTool(query: SavedQuery, run: RunQuery, stale: () => void): ListedTool {
  const { text, inputSchema, outputSchema } = query;
  const { name, description } = text;
  return {
    definition: {
      name,
      description,
      inputSchema,
      ...(outputSchema && { outputSchema }),
      annotations: READS,
      _meta: LARGE_RESULTS,
    },
    sets: ['default', 'read', 'saved'],
    async call(given, context) {
      const result = await run(inputOf(query, given), context);
      if (outputSchema !== undefined && result.structured === undefined) throw columnsTooLong(query);
      if (hasItsColumns(query, result)) return result;
      stale();
      if (outputSchema === undefined) return result;
      throw new ToolError('CONFLICT', `${name} returns other columns than it did when the tools were listed`, {
        hint: 'list the tools again',
      });
    },
  };
}

function inputOf(query: SavedQuery, given: Readonly<Record<string, unknown>>): QueryInput {
  const { sql, maxRows, database, structured } = query.text;
  return Object.assign(new QueryInput(), {
    sql,
    params: query.paramsOf(given),
    max_rows: maxRows,
    structured,
    ...(database !== undefined && { database }),
  });
}

/** A client refuses structured content that is not as the output schema says. */
function hasItsColumns({ columns }: SavedQuery, { structured, facts = {} }: Result): boolean {
  const found: unknown = Reflect.get(structured ?? facts, 'columns');
  // The number is all that is known of columns that are too long for a result.
  if (found === undefined) return Reflect.get(facts, 'columns_omitted') === columns.length;
  return (
    Array.isArray(found) &&
    found.length === columns.length &&
    found.every((column: object, index) => {
      const { name, type } = columns[index] ?? {};
      return Reflect.get(column, 'name') === name && Reflect.get(column, 'type') === type;
    })
  );
}

function columnsTooLong({ text }: SavedQuery): ToolError {
  return new ToolError('TOO_LARGE', `the columns of ${text.name} alone are too long for structured content`, {
    hint: 'select fewer columns in the saved query; the operator chooses the size with --max-bytes',
  });
}
