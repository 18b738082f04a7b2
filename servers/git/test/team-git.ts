import { Field, McpServer, type RequestContext, type Result, Tool, ToolError } from '@org/mcp-decorators';
import { IsString } from 'class-validator';

import { GitCommitInput, GitOptions, GitServer, RepositoryInput } from '../src/index.ts';

export class TeamOptions extends GitOptions {
  @Field('Key of the issues that commits name', { title: 'KEY' }) @IsString() issueKey = 'ACME';
}

@McpServer({ name: 'team-git', version: '1.0.0', tools: { git_clean: false } })
export class TeamGit extends GitServer {
  declare protected readonly options: TeamOptions;

  @Tool({ description: 'Who committed how often', annotations: { readOnlyHint: true, openWorldHint: false } })
  async committers(input: RepositoryInput, context: RequestContext): Promise<string> {
    const repository = await this.repositoryFor(input, context);
    const { stdout } = await repository.read(['shortlog', '--summary', '--numbered', 'HEAD', '--']);
    return stdout.toString('utf8');
  }

  // No decorator: it stays the tool git_commit, with its description, schema and annotations.
  override async gitCommit(input: GitCommitInput, context: RequestContext): Promise<Result> {
    const { issueKey } = this.options;
    if (input.message?.startsWith(`${issueKey}-`) === false)
      throw new ToolError('INVALID_ARGUMENTS', 'the message names no issue', {
        hint: `begin it with ${issueKey}-, and its number`,
      });
    return super.gitCommit(input, context);
  }
}
