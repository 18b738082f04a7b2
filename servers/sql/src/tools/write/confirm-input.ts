import { Flag, Text } from '@org/mcp-decorators';

import { DatabaseField, TimeoutField } from '../database-input.ts';

/** The parameters that every tool has that changes a database. `--write-timeout` is the maximum of `timeout_ms`. */
export class ConfirmInput {
  @DatabaseField() database?: string;
  @TimeoutField() timeout_ms?: number;
  @Flag('Change nothing; report what would change') dry_run = false;
  @Text('confirm_token returned by a dry run that the user approved', { optional: true }) confirm_token?: string;
}
