import { Field } from '@org/mcp-decorators';
import { ArrayMaxSize, IsOptional, IsString, MaxLength } from 'class-validator';

import { MAX_OBJECT_NAME } from '../catalog/object-name.ts';
import { DatabaseInput } from './database-input.ts';

/** Which tables and views are meant. */
export class TablesInput extends DatabaseInput {
  @Field('Only of this schema; default: all but those of PostgreSQL itself')
  @IsOptional()
  @IsString()
  @MaxLength(MAX_OBJECT_NAME)
  schema?: string;

  @Field('Only these tables and views; default: all')
  @IsOptional()
  @IsString({ each: true })
  @ArrayMaxSize(200)
  @MaxLength(MAX_OBJECT_NAME, { each: true })
  tables?: string[];
}
