import { Text } from '@org/mcp-decorators';
import { GitOptions } from '@org/mcp-git';

/** Adds `--issue-key`, RELEASE_GIT_ISSUE_KEY and an entry of `--help`. */
export class ReleaseOptions extends GitOptions {
  @Text('Issue key with which commit messages begin', { title: 'KEY', pattern: /^[A-Z]+$/ }) issueKey = 'ACME';
}
