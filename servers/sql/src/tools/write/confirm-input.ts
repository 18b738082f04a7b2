import { Flag, Text } from '@org/mcp-decorators';

import { DatabaseField, TimeoutField } from '../database-input.ts';

/**
 * The parameters of tools that change a database. `--statement-timeout` is the default of `timeout_ms`. The maximum is
 * `--write-timeout`, or `--statement-timeout` if that is longer.
 */
export class ConfirmInput {
  @DatabaseField() database?: string;
  @TimeoutField() timeout_ms?: number;
  @Flag('Change nothing; report what would change') dry_run = false;
  @Text('confirm_token returned by a dry run that the user approved', { optional: true }) confirm_token?: string;
}
