import { Text, type McpServerOptions } from '@org/mcp-decorators';

/** URI templates with the placeholder `sql` for the scheme, which `sqlResources` replaces. */
export const SAVED_QUERY_URI = 'sqlquery://{name}';
export const SCHEMA_URI = 'sql://{database}/{schema}';
export const TABLE_URI = 'sql://{database}/{schema}/{table}';
export const DDL_URI = 'sql://{database}/{schema}/{table}/ddl';
export const SAMPLE_URI = 'sql://{database}/{schema}/{table}/sample';
export const RESULT_URI = 'sqlresult://{handle}/{page}';
export const EXPORT_URI = 'sqlexport://{id}/{file}{?offset}';

/**
 * Returns the option `resources` of `@McpServer` that replaces the scheme `sql` in the URI templates of `SqlServer`.
 *
 * @param scheme `uriScheme` of the engine: with `pg`, a table has the URI `pg://{database}/{schema}/{table}`
 */
export function sqlResources(scheme: string): NonNullable<McpServerOptions['resources']> {
  return Object.fromEntries(
    Object.entries(TEMPLATES).map(([name, template]) => [name, { uriTemplate: template.replace('sql', scheme) }]),
  );
}

/** The URI templates of `SqlServer`, by the names of its resources. */
const TEMPLATES = {
  saved_query: SAVED_QUERY_URI,
  schema: SCHEMA_URI,
  table: TABLE_URI,
  table_ddl: DDL_URI,
  table_sample: SAMPLE_URI,
  result: RESULT_URI,
  export: EXPORT_URI,
};

/** The decoded variables of `sql://{database}/{schema}`. */
export class SchemaUri {
  @Text('Id of the database') database!: string;
  @Text('Schema') schema!: string;
}

/** The decoded variables of `sql://{database}/{schema}/{table}` and of the same URI with `/ddl` or `/sample`. */
export class TableUri {
  @Text('Id of the database') database!: string;
  @Text('Schema') schema!: string;
  @Text('Table or view') table!: string;
}

/** The decoded variable of `sqlquery://{name}`. */
export class SavedQueryUri {
  @Text('Name of the query') name!: string;
}
