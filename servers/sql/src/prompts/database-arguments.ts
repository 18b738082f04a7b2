import { Text } from '@org/mcp-decorators';

/** Which database is meant; every prompt asks that. */
export class DatabaseArguments {
  @Text('Id of the database; default: the first', { optional: true }) database?: string;
}

/** The database that was named, for the input of a tool. */
export function named({ database }: DatabaseArguments): { readonly database?: string } {
  return database === undefined ? {} : { database };
}
