import { Flag, Text } from '@org/mcp-decorators';

import { RepositoryInput } from '../operations/repository-input.ts';

/** What every tool takes that may lose something. */
export class ConfirmInput extends RepositoryInput {
  @Flag('Only tell what would be lost') dry_run = false;
  @Text('From a dry run that the user saw', { optional: true }) confirm_token?: string;
}
