import { Text } from '@org/mcp-decorators';

/** The variable of what a database has once. */
export class DatabaseUri {
  @Text('Id of the database') database!: string;
}

/** The variables of `pg://{database}/{schema}`, decoded. */
export class SchemaUri extends DatabaseUri {
  @Text() schema!: string;
}

/** The variables of `pg://{database}/{schema}/{table}` and of what is below it, decoded. */
export class TableUri extends SchemaUri {
  @Text('Table or view') table!: string;
}
