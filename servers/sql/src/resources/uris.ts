import { Text } from '@org/mcp-decorators';

export const SAVED_QUERY_URI = 'pgquery://{name}';
export const ACTIVITY_URI = 'pg://{database}/activity';
export const SETTINGS_URI = 'pg://{database}/settings';
export const SCHEMA_URI = 'pg://{database}/{schema}';
export const TABLE_URI = 'pg://{database}/{schema}/{table}';
export const DDL_URI = 'pg://{database}/{schema}/{table}/ddl';
export const SAMPLE_URI = 'pg://{database}/{schema}/{table}/sample';

/** The decoded variable of `pg://{database}/activity` and `pg://{database}/settings`. */
export class DatabaseUri {
  @Text('Id of the database') database!: string;
}

/** The decoded variables of `pg://{database}/{schema}`. */
export class SchemaUri {
  @Text('Id of the database') database!: string;
  @Text('Schema') schema!: string;
}

/** The decoded variables of `pg://{database}/{schema}/{table}` and the URIs below it. */
export class TableUri {
  @Text('Id of the database') database!: string;
  @Text('Schema') schema!: string;
  @Text('Table or view') table!: string;
}

/** The decoded variable of `pgquery://{name}`. */
export class SavedQueryUri {
  @Text('Name of the query') name!: string;
}
