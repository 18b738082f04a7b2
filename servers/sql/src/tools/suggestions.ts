import { ToolError, type RequestContext } from '@org/mcp-decorators';

import type { CatalogNames } from '../catalog/catalog-names.ts';
import { findNearestObjects, type NamedKind } from '../catalog/nearest-objects.ts';
import type { SqlDatabase } from '../engine/sql-database.ts';

/** A database whose names are suggested. */
type Named = Pick<SqlDatabase, 'names'>;

/**
 * Does work. If the work fails because of an undefined name, similar names are added to the hint of the error. If the work fails
 * because of an invalid enum value, the values of the enum are added to the hint.
 */
export async function withSuggestions<Outcome>(
  database: Named,
  context: RequestContext,
  work: () => Promise<Outcome>,
): Promise<Outcome> {
  try {
    return await work();
  } catch (error) {
    throw ToolError.is(error) ? await addSuggestions(error, database, context) : error;
  }
}

/** SQLSTATE of a text that is not a value of its type. */
const INVALID_VALUE = '22P02';

async function addSuggestions(error: ToolError, database: Named, context: RequestContext): Promise<ToolError> {
  const add = error.code === 'UNDEFINED_OBJECT' ? addNames : error.data?.['sqlstate'] === INVALID_VALUE ? addLabels : undefined;
  if (add === undefined) return error;
  try {
    return add(error, await database.names(context));
  } catch {
    // The caller must receive the error of the statement, even if the names cannot be read.
    return error;
  }
}

function addNames(error: ToolError, names: CatalogNames): ToolError {
  const name = extractName(error);
  if (name === undefined) return error;
  const kind = KINDS[String(error.data?.['sqlstate'])];
  if (kind === 'function' && names.functions.includes(name))
    return withHint(error, `a function ${name} with other arguments exists: describe shows its arguments`, { object: name });
  const suggestions = findNearestObjects(names, name, kind);
  if (suggestions.length === 0 || suggestions.some((suggestion) => error.hint?.includes(suggestion) === true)) return error;
  return withHint(error, `did you mean ${suggestions.join(', ')}?`, { object: name, suggestions });
}

/** Kinds of the missing object, by SQLSTATE. */
const KINDS: Readonly<Record<string, NamedKind>> = {
  '3F000': 'schema',
  '42703': 'column',
  '42883': 'function',
  '42P01': 'relation',
};

/** Maximum number of values of an enum in a hint. */
const MAX_LABELS = 20;

/**
 * Adds the values of the enum that the message names to the hint. The message may have any language, so the function searches for
 * a name between a space and a colon.
 */
function addLabels(error: ToolError, { enums = [] }: CatalogNames): ToolError {
  const named = enums.filter(({ shown }) => error.message.includes(` ${shown}: `));
  const [found] = named.toSorted((first, second) => second.shown.length - first.shown.length);
  if (found === undefined) return error;
  const more = found.labels.length > MAX_LABELS ? ` and ${found.labels.length - MAX_LABELS} more` : '';
  return withHint(error, `the values of ${found.shown} are ${found.labels.slice(0, MAX_LABELS).join(', ')}${more}`, {});
}

function withHint(error: ToolError, text: string, data: Readonly<Record<string, unknown>>): ToolError {
  return new ToolError(error.code, error.message, {
    cause: error,
    hint: error.hint === undefined ? text : `${text}${text.endsWith('?') ? ' ' : '; '}${error.hint}`,
    data: { ...error.data, ...data },
  });
}

const NAMED = /"([^"]+)"|«([^«»]+)»|„([^„“]+)“|(?:function|column) ([^\s(]+)/;

/**
 * Returns the name of the missing object from the data of an error, or else from its message: the text in quotation marks, or the
 * word after `function` or `column`. Returns `undefined` if the error contains no name.
 */
function extractName({ message, data }: ToolError): string | undefined {
  if (typeof data?.['object'] === 'string') return data['object'];
  const [, english, french, german, plain] = NAMED.exec(message) ?? [];
  return english ?? french ?? german ?? plain;
}
