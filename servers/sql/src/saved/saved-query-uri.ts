import { Text } from '@org/mcp-decorators';

export const SAVED_QUERY_URI = 'pgquery://{name}';

/** The variables of `SAVED_QUERY_URI`, decoded. */
export class SavedQueryUri {
  @Text('Name of the query') name!: string;
}
