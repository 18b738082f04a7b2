import { Field } from '@org/mcp-decorators';
import { ArrayMaxSize, IsOptional, IsString } from 'class-validator';

import { DatabaseInput } from './database-input.ts';

/** Which tables and views are meant. */
export class TablesInput extends DatabaseInput {
  @Field('Only of this schema; default: all but those of PostgreSQL itself')
  @IsOptional()
  @IsString()
  schema?: string;

  @Field('Only these tables and views; default: all')
  @IsOptional()
  @IsString({ each: true })
  @ArrayMaxSize(200)
  tables?: string[];
}
