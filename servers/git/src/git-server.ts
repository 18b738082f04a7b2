import { McpServer } from '@org/mcp-decorators';

import { GitPrompts } from './git-prompts.ts';
import { VERSION } from './version.ts';

/** Git repositories inside the operator's directories. Subclass it to change a tool, or to add one on `this.repositoryFor`. */
@McpServer({
  name: 'mcp-git',
  title: 'Git',
  version: VERSION,
  description: 'Reads and extends the history of git repositories inside the given directories; nothing of theirs is executed.',
  instructions:
    'repo_path may be left out where there is one repository. Paths are names relative to its top, never patterns. Results that were cut say so. What would lose something is confirmed first: by the user, or by the confirm_token of a dry_run.',
})
export class GitServer extends GitPrompts {}
