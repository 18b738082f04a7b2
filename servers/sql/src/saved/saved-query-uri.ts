import { Field } from '@org/mcp-decorators';
import { IsString } from 'class-validator';

export const SAVED_QUERY_URI = 'pgquery://{name}';

/** The variables of `SAVED_QUERY_URI`, decoded. */
export class SavedQueryUri {
  @Field('Name of the query')
  @IsString()
  name!: string;
}
