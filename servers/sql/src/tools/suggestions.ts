import { ToolError, type RequestContext } from '@org/mcp-decorators';

import { findNearestObjects } from '../catalog/nearest-objects.ts';
import type { SqlDatabase } from '../engine/sql-database.ts';

/** A database whose names are suggested. */
type Named = Pick<SqlDatabase, 'names'>;

/** Does work. If the work fails with UNDEFINED_OBJECT, similar names are added to the hint of the error. */
export async function withSuggestions<Outcome>(
  database: Named,
  context: RequestContext,
  work: () => Promise<Outcome>,
): Promise<Outcome> {
  try {
    return await work();
  } catch (error) {
    throw ToolError.is(error) && error.code === 'UNDEFINED_OBJECT' ? await addSuggestions(error, database, context) : error;
  }
}

async function addSuggestions(error: ToolError, database: Named, context: RequestContext): Promise<ToolError> {
  const name = extractName(error);
  const suggestions = name === undefined ? [] : await findSuggestions(name, database, context);
  if (suggestions.length === 0) return error;
  return new ToolError(error.code, error.message, {
    cause: error,
    hint: formatHint(error, suggestions),
    data: { ...error.data, object: name, suggestions },
  });
}

/** Returns the similar names; empty if they cannot be read, because the caller must receive the error of the statement. */
async function findSuggestions(name: string, database: Named, context: RequestContext): Promise<readonly string[]> {
  try {
    return findNearestObjects(await database.names(context), name);
  } catch {
    return [];
  }
}

/** Adds the similar names to the hint of the database. If that hint contains one of the names, returns the hint unchanged. */
function formatHint({ hint }: ToolError, suggestions: readonly string[]): string {
  if (hint !== undefined && suggestions.some((name) => hint.includes(name))) return hint;
  return [`did you mean ${suggestions.join(', ')}?`, ...(hint === undefined ? [] : [hint])].join(' ');
}

const NAMED = /"([^"]+)"|«([^«»]+)»|„([^„“]+)“|(?:function|column) ([^\s(]+)/;

/** Returns the name of the missing object from an error message: the text in quotation marks, or the word after the kind of the object. */
function extractName({ message, data }: ToolError): string | undefined {
  if (typeof data?.['object'] === 'string') return data['object'];
  const [, english, french, german, plain] = NAMED.exec(message) ?? [];
  return english ?? french ?? german ?? plain;
}
