import { Text } from '@org/mcp-decorators';

/** Which repository is meant, which every tool asks first. */
export class RepositoryInput {
  @Text('Default: the only one', { optional: true }) repo_path?: string;
}
