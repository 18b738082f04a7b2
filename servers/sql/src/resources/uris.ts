import { Field } from '@org/mcp-decorators';
import { IsString } from 'class-validator';

/** The variables of `pg://{database}/{schema}`, decoded. */
export class SchemaUri {
  @Field('Id of the database')
  @IsString()
  database!: string;

  @IsString()
  schema!: string;
}

/** The variables of `pg://{database}/{schema}/{table}` and of what is below it, decoded. */
export class TableUri extends SchemaUri {
  @Field('Table or view')
  @IsString()
  table!: string;
}
