import { ToolError } from '@org/mcp-decorators';

import { redacted } from '../text/redacted.ts';
import { visibleName } from '../text/visible.ts';
import type { Output } from './runner.ts';

/** More of git's own words than this is not repeated. */
const MAX_WORDS = 400;
const MAX_FILES = 20;

type Explain = (stderr: string) => ToolError;

/** What git says, in English because of LC_ALL, and what it means to the caller. */
const MEANINGS: readonly (readonly [RegExp, Explain])[] = [
  [/pathspec '[^]*' did not match any file/, (stderr) => new ToolError('PATH_NOT_FOUND', ownWords(stderr))],
  [/is beyond a symbolic link|is in submodule/, (stderr) => new ToolError('INVALID_PATH', ownWords(stderr))],
  [/Unable to create '[^']*\.lock': File exists/, () => locked()],
  [
    /would be overwritten by (?:checkout|merge)/,
    (stderr) => {
      const files = listedFiles(stderr);
      return new ToolError('CONFLICT', `local changes would be overwritten: ${files.map(visibleName).join(', ')}`, {
        hint: 'commit them first',
        data: { files },
      });
    },
  ],
  [
    /you have unmerged files|you need to resolve your current index first/i,
    () => new ToolError('CONFLICT', 'there are unresolved conflicts', { hint: 'resolve them, then git_add the files' }),
  ],
  [
    /identity unknown|empty ident name|unable to auto-detect email/i,
    () =>
      new ToolError('IDENTITY_REQUIRED', 'git does not know who commits', {
        hint: 'set user.name and user.email with git config',
      }),
  ],
  [
    /cannot switch branch while|already (?:checked out|used by worktree) at/,
    (stderr) => new ToolError('CONFLICT', ownWords(stderr), { hint: 'end that operation, or use the other worktree' }),
  ],
];

/** The error of a run that did not end with one of the codes its caller expects. */
export function failureOf(command: string, { code, stderr }: Output): ToolError {
  const [, explain] = MEANINGS.find(([pattern]) => pattern.test(stderr)) ?? [];
  return explain?.(stderr) ?? new ToolError('GIT_FAILED', `git ${command} ended with ${code}: ${ownWords(stderr)}`);
}

function locked(): ToolError {
  return new ToolError('LOCKED', 'another git process is changing the repository, or left its lock behind', {
    hint: 'try again; if nothing else is running, a person may remove the lock file',
  });
}

/** The first thing that git calls an error, without passwords in URLs. */
export function ownWords(stderr: string): string {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '');
  const line = lines.find((each) => /^(?:fatal|error): /.test(each)) ?? lines[0] ?? 'it gave no reason';
  return visibleName(redacted(line.replace(/^(?:fatal|error): /, '')).slice(0, MAX_WORDS));
}

function listedFiles(stderr: string): readonly string[] {
  return [...stderr.matchAll(/^\t(.+)$/gm)].flatMap(([, file]) => file ?? []).slice(0, MAX_FILES);
}
