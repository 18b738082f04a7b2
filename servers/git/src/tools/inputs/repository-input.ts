import { Text, type TypedField } from '@org/mcp-decorators';

/** Declares the parameter that selects the repository: `@RepoPath() repo_path?: string`. */
export function RepoPath(): TypedField<string, { readonly optional: true }> {
  return Text('Default: the only repo', { optional: true });
}

/** Input of a tool or prompt for one repository. */
export class RepositoryInput {
  @RepoPath() repo_path?: string;
}
