import { ToolError } from '@org/mcp-decorators';

import { failureOf, ownWords } from './failures.ts';
import type { Output } from './runner.ts';

type Explain = (words: string) => ToolError;

const LOG_IN = 'nobody is asked here: log in with git on this machine, so that its credential helper or SSH agent knows you';

/** What git says about connections, in English because of LC_ALL. */
const MEANINGS: readonly (readonly [RegExp, Explain])[] = [
  [
    /Host key verification failed|REMOTE HOST IDENTIFICATION HAS CHANGED/,
    () =>
      new ToolError('AUTH_REQUIRED', 'ssh does not know the key of this host, or knows another', {
        hint: 'connect once with ssh on this machine, and compare the fingerprint',
      }),
  ],
  [
    /Authentication failed|could not read (?:Username|Password)|terminal prompts disabled|Permission denied|returned error: 40[13]|HTTP 40[13]/,
    () => new ToolError('AUTH_REQUIRED', 'the remote wants to know who asks, or does not let them in', { hint: LOG_IN }),
  ],
  [
    /returned error: 30\d|unable to update url base from redirection/,
    () =>
      new ToolError('HOST_NOT_ALLOWED', 'the remote leads to another address, which is not followed', {
        hint: 'give the address that it is at now',
      }),
  ],
  [
    /Operation too slow|Timeout, server \S+ not responding|Connection timed out|Operation timed out/i,
    () => new ToolError('TIMEOUT', 'the remote did not answer for too long', { hint: 'try again later' }),
  ],
  [
    /repository '\S*' not found|returned error: 404|HTTP 404|does not appear to be a git repository|Repository not found/i,
    () => new ToolError('REMOTE_NOT_FOUND', 'there is no repository at that address, or none that may be seen', { hint: LOG_IN }),
  ],
  [
    /fsck error|invalid path|badTree|hasDot|missingSpace|gitmodules(?:Url|Path|Name)/i,
    (words) => new ToolError('UNSAFE_OBJECTS', `the remote sent what must not get in: ${ownWords(words)}`),
  ],
  [
    /[Cc]ouldn't find remote ref|Remote branch \S+ not found/,
    () => new ToolError('INVALID_REVISION', 'the remote has no branch of that name'),
  ],
  [
    /would clobber existing tag/,
    () =>
      new ToolError('CONFLICT', 'the remote has tags that are others here; those here were kept', { hint: 'fetch without tags' }),
  ],
  [
    /refusing to fetch into/,
    () => new ToolError('CONFLICT', 'a branch that is checked out would be changed', { hint: 'git_pull changes it' }),
  ],
  [
    /[Cc]ould not resolve host|[Cc]onnection (?:refused|reset|closed)|[Ff]ailed to connect|[Cc]ouldn't connect|[Uu]nreachable|unable to access|SSL|early EOF|hung up|unexpected disconnect|RPC failed|returned error: 5\d\d|Could not read from remote/,
    (words) =>
      new ToolError('NETWORK', `the remote cannot be reached: ${ownWords(words)}`, { hint: 'look at the URL, and try again' }),
  ],
];

/** The error of a command that did not get what it wanted from a remote. */
export function remoteFailureOf(command: string, output: Output, words: string): ToolError {
  const [, explain] = MEANINGS.find(([pattern]) => pattern.test(words)) ?? [];
  return explain?.(words) ?? failureOf(command, { ...output, stderr: words });
}
