import { Text } from '@org/mcp-decorators';

/** The argument that every prompt has. */
export class DatabaseArguments {
  @Text('Id of the database; default: the first', { optional: true }) database?: string;
}

/** Returns the `database` of a tool's input; empty if no database is named. */
export function pickDatabase({ database }: DatabaseArguments): { readonly database?: string } {
  return database === undefined ? {} : { database };
}
