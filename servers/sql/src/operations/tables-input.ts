import { Text, TextList } from '@org/mcp-decorators';

import { MAX_OBJECT_NAME } from '../catalog/object-name.ts';
import { DatabaseInput } from './database-input.ts';

/** Which tables and views are meant. */
export class TablesInput extends DatabaseInput {
  @Text('Only of this schema; default: all but those of PostgreSQL itself', { optional: true, maxLength: MAX_OBJECT_NAME })
  schema?: string;

  @TextList('Only these tables and views; default: all', { optional: true, maxItems: 200, maxLength: MAX_OBJECT_NAME })
  tables?: string[];
}
