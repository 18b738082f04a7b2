import { Field } from '@org/mcp-decorators';
import { IsString } from 'class-validator';

/** The variable of what a database has once. */
export class DatabaseUri {
  @Field('Id of the database')
  @IsString()
  database!: string;
}

/** The variables of `pg://{database}/{schema}`, decoded. */
export class SchemaUri extends DatabaseUri {
  @IsString()
  schema!: string;
}

/** The variables of `pg://{database}/{schema}/{table}` and of what is below it, decoded. */
export class TableUri extends SchemaUri {
  @Field('Table or view')
  @IsString()
  table!: string;
}
