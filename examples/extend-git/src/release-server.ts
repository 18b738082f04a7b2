import { McpServer, type RequestContext, type Result, Text, Tool, ToolError } from '@org/mcp-decorators';
import { GitCommitInput, GitServer, RepositoryInput } from '@org/mcp-git';

import { ReleaseOptions } from './release-options.js';

export class CommitsSinceInput extends RepositoryInput {
  @Text('Tag of the previous release', { pattern: /^[\w.][\w.-]*$/ }) since!: string;
}

/** Adds a tool that lists the commits since a release. A message of `git_commit` needs an issue key. `git_clean` is removed. */
@McpServer({ name: 'release-git', version: '1.0.0', tools: { git_clean: false } })
export class ReleaseServer extends GitServer {
  declare protected readonly options: ReleaseOptions;

  @Tool({
    description: 'List the subjects of all commits since a release, oldest first',
    annotations: { readOnlyHint: true, openWorldHint: false },
  })
  async commitsSince(input: CommitsSinceInput, context: RequestContext): Promise<string> {
    const repository = await this.repositoryFor(input, context);
    // The pattern of the input excludes texts that git would interpret as an option or as another revision.
    const range = `refs/tags/${input.since}..HEAD`;
    const { stdout } = await repository.read(['log', '--reverse', '--format=* %s', range, '--']);
    return stdout.toString('utf8').trimEnd();
  }

  // Without a decorator, the tool keeps its name, description, schema and annotations.
  override async gitCommit(input: GitCommitInput, context: RequestContext): Promise<Result> {
    const prefix = `${this.options.issueKey}-`;
    if (input.message?.startsWith(prefix) === false)
      throw new ToolError('INVALID_ARGUMENTS', 'the message does not begin with an issue key', {
        hint: `begin with ${prefix} and the number of the issue`,
      });
    return super.gitCommit(input, context);
  }
}
