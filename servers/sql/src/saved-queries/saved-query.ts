import type { JsonValue, RawSchema } from '@org/mcp-decorators';

import type { ParameterType, StatementDescription, ValueSchema } from '../engine/reading.ts';
import { rejectNul } from '../engine/reject-nul.ts';
import type { SqlDatabase } from '../engine/sql-database.ts';
import { visible } from '../rows/shown-value.ts';
import { SavedProblem, type SavedParameter, type SavedText } from './saved-text.ts';

/** A saved query that the database has parsed. */
export interface SavedQuery {
  readonly text: SavedText;
  readonly inputSchema: RawSchema;
  /** Absent if the query returns only text. */
  readonly outputSchema?: RawSchema;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  /** Converts an input that matches the schema to the values of the placeholders, in order. */
  bindParameters(input: Readonly<Record<string, unknown>>): (string | null)[];
}

type Column = StatementDescription['columns'][number];

/**
 * Lets the database describe the parameters and columns of a saved query.
 *
 * @throws SavedProblem if the statement and the header do not have the same number of parameters; ToolError INVALID_ARGUMENTS for the
 * character NUL, and errors of `SqlDatabase.describeStatement`
 */
export async function describeSavedQuery(database: SqlDatabase, text: SavedText, signal: AbortSignal): Promise<SavedQuery> {
  const { parameters, columns } = await database.describeStatement(text.sql, signal);
  // The database checks the statement first, because the error of the database may be more precise.
  rejectNul(database, { sql: text.sql, params: [] });
  const { params } = text;
  if (parameters.length !== params.length)
    throw new SavedProblem(`the statement has ${counted(parameters.length)}, and params names ${params.length}`);
  const given = parameters.map((type, index) => ({ name: '', description: '', optional: false, ...params[index], type }));
  return {
    text,
    inputSchema: buildInputSchema(given),
    ...(text.structured && { outputSchema: buildOutputSchema(columns) }),
    columns: columns.map(({ name, type }) => ({ name, type })),
    bindParameters: (input) => given.map(({ name, type }) => type.format(Object.hasOwn(input, name) ? input[name] : undefined)),
  };
}

function counted(parameters: number): string {
  return `${parameters} ${parameters === 1 ? 'parameter' : 'parameters'}`;
}

function buildInputSchema(params: readonly (SavedParameter & { readonly type: ParameterType })[]): RawSchema {
  const required = params.filter(({ optional }) => !optional).map(({ name }) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(
      params.map(({ name, description, type, optional }) => [
        name,
        {
          description: description === '' ? type.name : `${description} (${type.name})`,
          ...buildValueSchema(type, optional),
        },
      ]),
    ),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

function buildOutputSchema(columns: readonly Column[]): RawSchema {
  const described = columns.map(({ name, type }) => ({
    type: 'object',
    properties: { name: { const: name }, type: { const: type } },
    required: ['name', 'type'],
  }));
  const properties: Record<string, JsonValue> = {
    columns: { type: 'array', prefixItems: described, minItems: columns.length, maxItems: columns.length },
    row_count: { type: 'integer', description: 'Number of rows returned' },
    truncated: { type: 'string', description: 'Limit that was reached if rows are missing: rows or bytes' },
    rows: buildRowsSchema(columns),
  };
  return { type: 'object', properties, required: ['columns', 'row_count', 'rows'] };
}

function buildRowsSchema(columns: readonly Column[]): JsonValue {
  const values = columns.map(({ name, type, labels }) => ({
    title: visible(name),
    description: type,
    ...buildColumnSchema(labels),
  }));
  return { type: 'array', items: { type: 'array', prefixItems: values, minItems: columns.length, maxItems: columns.length } };
}

/** Builds the JSON Schema of a parameter; an optional parameter also accepts `null`. */
function buildValueSchema({ schema }: ParameterType, optional: boolean): ValueSchema {
  if (!optional) return schema;
  const { type, enum: values } = schema;
  return {
    ...schema,
    ...(type !== undefined && { type: [type, 'null'].flat() }),
    ...(Array.isArray(values) && { enum: [...values, null] }),
  };
}

/** Builds the JSON Schema of a column: values are text as the database formats them, or null. */
function buildColumnSchema(labels: readonly string[] | undefined): ValueSchema {
  return labels === undefined ? { type: ['string', 'null'] } : { type: ['string', 'null'], enum: [...labels, null] };
}
