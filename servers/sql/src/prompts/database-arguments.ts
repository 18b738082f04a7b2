import { Field } from '@org/mcp-decorators';
import { IsOptional, IsString } from 'class-validator';

/** Which database is meant; every prompt asks that. */
export class DatabaseArguments {
  @Field('Id of the database; default: the first')
  @IsOptional()
  @IsString()
  database?: string;
}

/** The database that was named, for the input of a tool. */
export function named({ database }: DatabaseArguments): { readonly database?: string } {
  return database === undefined ? {} : { database };
}
