import { Flag, Text } from '@org/mcp-decorators';

import { RepoPath } from '../inputs/repository-input.ts';

/** Input of a tool that may lose data. */
export class ConfirmInput {
  @RepoPath() repo_path?: string;
  @Flag('Only report losses') dry_run = false;
  @Text('Token of an approved dry run', { optional: true }) confirm_token?: string;
}
