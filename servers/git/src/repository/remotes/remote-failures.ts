import { ToolError } from '@org/mcp-decorators';

import { explainGitFailure, findErrorLine } from '../process/failures.ts';
import type { GitOutput } from '../process/run-process.ts';

type Explain = (words: string) => ToolError;

const LOG_IN =
  'this MCP server does not prompt for credentials: log in with git on this machine, so that its credential helper or SSH agent can provide them';

/** Patterns in the output of git for remotes and the errors they stand for. The output is English, because LC_ALL is set. */
const MEANINGS: readonly (readonly [RegExp, Explain])[] = [
  [
    /Host key verification failed|REMOTE HOST IDENTIFICATION HAS CHANGED/,
    () =>
      new ToolError('AUTH_REQUIRED', 'the SSH host key is unknown or has changed', {
        hint: 'connect once with ssh on this machine, and verify the fingerprint',
      }),
  ],
  [
    /Authentication failed|could not read (?:Username|Password)|terminal prompts disabled|Permission denied|returned error: 40[13]|HTTP 40[13]/,
    () => new ToolError('AUTH_REQUIRED', 'the remote requires authentication or denies access', { hint: LOG_IN }),
  ],
  [
    /returned error: 30\d|unable to update url base from redirection/,
    () =>
      new ToolError('HOST_NOT_ALLOWED', 'the remote redirects to another address; redirects are not followed', {
        hint: 'use the new address of the remote',
      }),
  ],
  [
    /Operation too slow|Timeout, server \S+ not responding|Connection timed out|Operation timed out/i,
    () => new ToolError('TIMEOUT', 'the remote did not respond in time', { hint: 'try again later' }),
  ],
  [
    /repository '\S*' not found|returned error: 404|HTTP 404|does not appear to be a git repository|Repository not found/i,
    () =>
      new ToolError('REMOTE_NOT_FOUND', 'the repository does not exist at this address, or access to it is denied', {
        hint: LOG_IN,
      }),
  ],
  [
    /fsck error|invalid path|badTree|hasDot|missingSpace|gitmodules(?:Url|Path|Name)/i,
    (words) => new ToolError('UNSAFE_OBJECTS', `the remote sent invalid or dangerous objects: ${findErrorLine(words)}`),
  ],
  [
    /[Cc]ouldn't find remote ref|Remote branch \S+ not found/,
    () => new ToolError('INVALID_REVISION', 'the remote has no branch with the given name'),
  ],
  [
    /not our ref|unadvertised object/,
    () =>
      new ToolError('INVALID_REVISION', 'the remote does not have the commit', { hint: 'the commit was probably not pushed' }),
  ],
  [
    /would clobber existing tag/,
    () =>
      new ToolError('CONFLICT', 'some local tags differ from the remote tags of the same name; the local tags were kept', {
        hint: 'fetch without tags',
      }),
  ],
  [
    /refusing to fetch into/,
    () =>
      new ToolError('CONFLICT', 'the fetch would change the branch that is checked out', {
        hint: 'update the current branch with git_pull',
      }),
  ],
  [
    /[Cc]ould not resolve host|[Cc]onnection (?:refused|reset|closed)|[Ff]ailed to connect|[Cc]ouldn't connect|[Uu]nreachable|unable to access|SSL|early EOF|hung up|unexpected disconnect|RPC failed|returned error: 5\d\d|Could not read from remote/,
    (words) =>
      new ToolError('NETWORK', `the remote cannot be reached: ${findReason(words)}`, {
        hint: 'check the URL, then try again',
      }),
  ],
];

/** Creates the error for a command that failed to access a remote. */
export function explainRemoteFailure(command: string, output: GitOutput, words: string): ToolError {
  const [, explain] = MEANINGS.find(([pattern]) => pattern.test(words)) ?? [];
  return explain?.(words) ?? explainGitFailure(command, { ...output, stderr: words });
}

/** Returns the message of ssh, which names the address and the cause, or else the message of git. */
function findReason(words: string): string {
  const [, reason] = /^ssh: (.+?)\r?$/m.exec(words) ?? [];
  return reason === undefined ? findErrorLine(words) : findErrorLine(reason);
}
