import { ToolError, type RequestContext } from '@org/mcp-decorators';

import { nearestObjects } from '../catalog/nearest-objects.ts';
import type { Database } from '../database/database.ts';

/** Does a piece of work; if it names what does not exist, the error says what does. */
export async function withSuggestions<Outcome>(
  database: Database,
  context: RequestContext,
  work: () => Promise<Outcome>,
): Promise<Outcome> {
  try {
    return await work();
  } catch (error) {
    throw ToolError.is(error) && error.code === 'UNDEFINED_OBJECT' ? await suggesting(error, database, context) : error;
  }
}

async function suggesting(error: ToolError, database: Database, context: RequestContext): Promise<ToolError> {
  const name = nameIn(error);
  const suggestions = name === undefined ? [] : await nearestObjects(database, name, context).catch(() => []);
  if (suggestions.length === 0) return error;
  return new ToolError(error.code, error.message, {
    cause: error,
    hint: hintOf(error, suggestions),
    data: { ...error.data, object: name, suggestions },
  });
}

/** PostgreSQL may have named one of them already. */
function hintOf({ hint }: ToolError, suggestions: readonly string[]): string {
  if (hint !== undefined && suggestions.some((name) => hint.includes(name))) return hint;
  return [`did you mean ${suggestions.join(', ')}?`, ...(hint === undefined ? [] : [hint])].join(' ');
}

const NAMED = /"([^"]+)"|«([^«»]+)»|„([^„“]+)“|(?:function|column) ([^\s(]+)/;

/** What does not exist, as the error names it: in quotation marks, or behind the word for its kind. */
function nameIn({ message, data }: ToolError): string | undefined {
  if (typeof data?.['object'] === 'string') return data['object'];
  const [, english, french, german, plain] = NAMED.exec(message) ?? [];
  return english ?? french ?? german ?? plain;
}
