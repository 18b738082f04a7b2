import { Flag, Text } from '@org/mcp-decorators';

import { RowsInput } from '../../tools/query/rows-page.ts';
import { ParamsField } from '../../tools/params-field.ts';

/** The parameters of `QueryInput`, described with the statements and placeholders of PostgreSQL. */
export class PostgresQueryInput extends RowsInput {
  @Text('One reading statement: SELECT, VALUES, TABLE, WITH, SHOW or EXPLAIN') sql!: string;
  @ParamsField('Values of $1, $2, …; objects and arrays are JSON') params?: unknown[];
  @Flag('Store all rows, for fetch_result and export by handle') keep = false;
}
