import { lstatSync } from 'node:fs';
import { join } from 'node:path';

import { completions, listedResource, prompt, refusedTool, tool } from '../calls.mjs';

const BLOB = 'git://{repo}/blob/{rev}/{+path}';

/** Returns the tour of this checkout's history, or the reason why the history cannot be shown. */
export function historyTour({ checkout }) {
  const missing = whyNone(checkout);
  if (missing !== undefined) return { missing };
  return {
    program: 'servers/git/bin/mcp-git.js',
    args: [checkout],
    steps: [
      ['What happened here last?', tool('git_log', { max_count: 3 })],
      ['What has changed since?', tool('git_status', {})],
      ['What did the last commit do?', tool('git_show', { revision: 'HEAD' })],
      ['Who wrote the first lines of the README?', tool('git_blame', { path: 'README.md', start_line: 1, end_line: 3 })],
      ['Which branch and commit is this?', listedResource('/head')],
      ['Complete a repository, a revision and a path', completions(BLOB, { repo: '', rev: 'HE', path: 'READ' })],
      ['A prompt about a commit', prompt('explain_commit', { commit: 'HEAD' })],
      ['An option instead of a revision is refused', refusedTool('git_show', { revision: '--output=x' }, 'INVALID_REVISION')],
    ],
  };
}

function whyNone(checkout) {
  const facts = lstatSync(join(checkout, '.git'), { throwIfNoEntry: false });
  if (facts === undefined) return 'This directory was not cloned, so it has no history that the server for git could show.';
  return facts.isDirectory()
    ? undefined
    : 'The history of this worktree is in another directory. The server for git uses no directory that is not allowed.';
}
