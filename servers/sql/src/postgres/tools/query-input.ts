import { Flag, Text, TextList } from '@org/mcp-decorators';

import { RowsInput } from '../../tools/query/rows-page.ts';

/** `QueryInput` with the statements and placeholders of PostgreSQL. */
export class PostgresQueryInput extends RowsInput {
  @Text('One reading statement: SELECT, VALUES, TABLE, WITH, SHOW or EXPLAIN') sql!: string;
  @TextList('Values of $1, $2 and so on, as text', { optional: true }) params?: (string | null)[];
  @Flag('Store all rows, for fetch_result and export by handle') keep = false;
}
