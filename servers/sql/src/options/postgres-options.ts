import { Text } from '@org/mcp-decorators';

import { ResultOptions } from './result-options.ts';

/** Options of the PostgreSQL server. */
export class PostgresOptions extends ResultOptions {
  @Text('Folder of saved queries: each *.sql with a description becomes a tool, while the server runs', {
    optional: true,
    title: 'DIRECTORY',
    format: 'path',
  })
  queries?: string;
}
