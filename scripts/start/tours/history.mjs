import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { completions, refusedTool, tool } from '../calls.mjs';

/** History: this checkout's repository; none where it was downloaded without one. */
export function historyTour({ checkout }) {
  if (!existsSync(join(checkout, '.git'))) return undefined;
  return {
    program: 'servers/git/bin/mcp-git.js',
    args: [checkout],
    steps: [
      ['What happened here last?', tool('git_log', { max_count: 3 })],
      ['What has changed since?', tool('git_status', {})],
      ['Who wrote the first lines of the README?', tool('git_blame', { path: 'README.md', start_line: 1, end_line: 3 })],
      ['Complete a repository and a revision', completions('git://{repo}/blob/{rev}/{+path}', { repo: '', rev: 'HE' })],
      ['An option instead of a revision is refused', refusedTool('git_show', { revision: '--output=x' }, 'INVALID_REVISION')],
    ],
  };
}
