import { Flag, Text } from '@org/mcp-decorators';

import { DatabaseInput } from './database-input.ts';

/** What every tool takes that changes a database. */
export class ConfirmInput extends DatabaseInput {
  @Flag('Change nothing, and tell what would be changed') dry_run = false;
  @Text('Of a dry run that the user agreed to', { optional: true }) confirm_token?: string;
}
