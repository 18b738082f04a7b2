import { Text } from '@org/mcp-decorators';

import { DatabaseArguments } from '../../prompts/database-arguments.ts';

/** The arguments of `ExplainErrorArguments`, with a description for errors from PostgreSQL. */
export class PostgresExplainErrorArguments extends DatabaseArguments {
  @Text('Text of the error, from PostgreSQL or a tool', { maxLength: 16_384 }) error!: string;
  @Text('Statement that failed', { optional: true, maxLength: 65_536 }) sql?: string;
}
