import { Text } from '@org/mcp-decorators';

/** The argument that every prompt has. */
export class DatabaseArguments {
  @Text('Id of the database; default: the first', { optional: true }) database?: string;
}

/** Returns an object with `database`, for the input of a tool. The object is empty if no database is named. */
export function pickDatabase({ database }: DatabaseArguments): { readonly database?: string } {
  return database === undefined ? {} : { database };
}
