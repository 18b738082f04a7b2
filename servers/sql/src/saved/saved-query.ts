import type { JsonValue, RawSchema } from '@org/mcp-decorators';

import type { Database } from '../database/database.ts';
import { describeStatement } from '../database/describe-statement.ts';
import { visible } from '../rows/shown-value.ts';
import { SavedProblem, type SavedParameter, type SavedText } from './saved-text.ts';
import { acceptedSchema, returnedSchema, textOf } from './value-schema.ts';
import { valueTypes, type ValueType } from './value-types.ts';

/** A saved query that PostgreSQL has parsed. */
export interface SavedQuery {
  readonly text: SavedText;
  readonly inputSchema: RawSchema;
  /** Absent if the query returns only text. */
  readonly outputSchema?: RawSchema;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  /** Values of `$1`, `$2` and so on, of what the input schema allows. */
  paramsOf(input: Readonly<Record<string, unknown>>): (string | null)[];
}

/** What a column is called, and what its values are like. */
interface Column {
  readonly name: string;
  readonly type: string;
  readonly values: ValueType | undefined;
}

/**
 * Has PostgreSQL say what a saved query takes and returns.
 *
 * @throws SavedProblem for parameters that the statement does not have; ToolError those of `describeStatement`
 */
export async function describeSaved(database: Database, text: SavedText, signal: AbortSignal): Promise<SavedQuery> {
  const { parameters, fields } = await describeStatement(database, text.sql, signal);
  const { params } = text;
  if (parameters.length !== params.length)
    throw new SavedProblem(`the statement has ${counted(parameters.length)}, and params names ${params.length}`);
  const types = await valueTypes(database, [...parameters, ...fields.map(({ dataTypeID }) => dataTypeID)], signal);
  const facts = await database.columnTypes.of(fields, database, { signal });
  const columns = fields.map(({ name, dataTypeID }, index) => ({
    name,
    type: facts[index]?.type ?? 'unknown',
    values: types.get(dataTypeID),
  }));
  const given = params.map((parameter, index) => ({ ...parameter, type: types.get(parameters[index] ?? 0) ?? UNKNOWN }));
  return {
    text,
    inputSchema: inputSchemaOf(given),
    ...(text.structured && { outputSchema: outputSchemaOf(columns) }),
    columns: columns.map(({ name, type }) => ({ name, type })),
    paramsOf: (input) => given.map(({ name, type }) => textOf(Object.hasOwn(input, name) ? input[name] : undefined, type)),
  };
}

const UNKNOWN: ValueType = { name: 'text', base: 'text', labels: undefined, items: undefined };

function counted(parameters: number): string {
  return `${parameters} ${parameters === 1 ? 'parameter' : 'parameters'}`;
}

function inputSchemaOf(params: readonly (SavedParameter & { readonly type: ValueType })[]): RawSchema {
  const required = params.filter(({ optional }) => !optional).map(({ name }) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(
      params.map(({ name, description, type, optional }) => [
        name,
        {
          description: description === '' ? type.name : `${description} (${type.name})`,
          ...acceptedSchema(type, optional),
        },
      ]),
    ),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

function outputSchemaOf(columns: readonly Column[]): RawSchema {
  const described = columns.map(({ name, type }) => ({
    type: 'object',
    properties: { name: { const: name }, type: { const: type } },
    required: ['name', 'type'],
  }));
  const properties: Record<string, JsonValue> = {
    columns: { type: 'array', prefixItems: described, minItems: columns.length, maxItems: columns.length },
    row_count: { type: 'integer', description: 'Rows returned' },
    truncated: { type: 'string', description: 'Why there are more rows than returned' },
    rows: rowsSchema(columns),
  };
  return { type: 'object', properties, required: ['columns', 'row_count', 'rows'] };
}

function rowsSchema(columns: readonly Column[]): JsonValue {
  const values = columns.map(({ name, type, values: of }) => ({
    title: visible(name),
    description: type,
    ...returnedSchema(of ?? UNKNOWN),
  }));
  return { type: 'array', items: { type: 'array', prefixItems: values, minItems: columns.length, maxItems: columns.length } };
}
