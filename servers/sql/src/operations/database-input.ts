import { Field } from '@org/mcp-decorators';
import { IsInt, IsOptional, IsString, Min } from 'class-validator';

/** Which database is meant, and how long the call may take; every tool asks that. */
export class DatabaseInput {
  @Field('Id of the database; default: the first')
  @IsOptional()
  @IsString()
  database?: string;

  @Field('Stop after this many milliseconds; default and limit are the server’s')
  @IsOptional()
  @IsInt()
  @Min(1)
  timeout_ms?: number;
}
