import { Field } from '@org/mcp-decorators';
import { IsInt, IsOptional, IsString, MaxLength, Min } from 'class-validator';

import { MAX_OBJECT_NAME } from '../catalog/object-name.ts';

/** Which database is meant, and how long the call may take, at most and by default as long as `--timeout-ms` allows; every tool asks that. */
export class DatabaseInput {
  @Field('Id of list_databases; default: first')
  @IsOptional()
  @IsString()
  @MaxLength(MAX_OBJECT_NAME)
  database?: string;

  @Field('Stop after this many milliseconds')
  @IsOptional()
  @IsInt()
  @Min(1)
  timeout_ms?: number;
}
