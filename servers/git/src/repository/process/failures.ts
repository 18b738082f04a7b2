import { lstatSync } from 'node:fs';
import path from 'node:path';

import { ToolError, escapeInvisible } from '@org/mcp-decorators';

import { textBetween } from '../../text/cut.ts';
import { redactSecrets } from '../../text/redact.ts';
import type { GitOutput } from './run-process.ts';
import { formatPath } from '../parse/path-bytes.ts';

/** Maximum length of a message of git in an error. */
const MAX_MESSAGE = 400;
const MAX_FILES = 20;

type Explain = (stderr: string) => ToolError;

/** Patterns in the output of git and the errors they stand for. The output is English, because LC_ALL is set. */
const MEANINGS: readonly (readonly [Pick<RegExp, 'test'>, Explain])[] = [
  [/must be run in a work tree/, () => new ToolError('NO_WORK_TREE', 'the repository is bare: it has no work tree and no index')],
  [
    matchesPhrases("pathspec '", "' did not match any file"),
    (stderr) =>
      new ToolError('PATH_NOT_FOUND', `no file matches ${findPathspec(findErrorLine(stderr))}`, {
        hint: 'paths are relative to the top of the repository; git_status lists changed files',
      }),
  ],
  [
    matchesPhrases("No such path '", "' in the diff"),
    () => new ToolError('INVALID_ARGUMENTS', 'the cursor is not valid for this diff', { hint: 'omit the cursor to start again' }),
  ],
  [
    /^fatal: (?:command line, '|In '-' at 1, '|header, '|invalid regex)/m,
    () =>
      new ToolError('INVALID_ARGUMENTS', 'the pattern is not a valid regular expression', {
        hint: 'use a POSIX extended regular expression, or omit `regex`',
      }),
  ],
  [/is beyond a symbolic link|is in submodule/, (stderr) => new ToolError('INVALID_PATH', findErrorLine(stderr))],
  [
    /would be overwritten by (?:checkout|merge|cherry-pick|revert)/,
    (stderr) => {
      const files = parseListedFiles(stderr);
      const listed = files.length === 0 ? '' : `: ${files.map(formatPath).join(', ')}`;
      return new ToolError('CONFLICT', `local changes or untracked files would be overwritten${listed}`, {
        hint: 'commit or stash the local changes, and move the untracked files, before you try again',
        data: { files },
      });
    },
  ],
  [
    /you have unmerged files|you need to resolve your current index first/i,
    () =>
      new ToolError('CONFLICT', 'some files have unresolved conflicts', {
        hint: 'resolve the conflicts, then stage the files with git_add',
      }),
  ],
  [
    /identity unknown|empty ident name|unable to auto-detect email/i,
    () =>
      new ToolError('IDENTITY_REQUIRED', 'user.name and user.email are not configured', {
        hint: 'set user.name and user.email with git config',
      }),
  ],
  [
    { test: isMovedBranch },
    () =>
      new ToolError('CONFLICT', 'another git process moved the branch during the call; the commits of that process are kept', {
        hint: 'check git_log and git_status, then try again',
      }),
  ],
  [matchesPhrases("Entry '", "' not uptodate", "' would be overwritten"), uncommittedError],
  [/is unmerged$/m, uncommittedError],
  [
    /cannot do a partial commit during|in the middle of a [a-z -]{1,40} -- cannot amend/,
    (stderr) => new ToolError('CONFLICT', findErrorLine(stderr), { hint: 'finish or abort that operation first' }),
  ],
  [
    /cannot switch branch while|(?:checked out|used by worktree) at/,
    (stderr) =>
      // The path of the other work tree may be outside the roots, so the message does not contain this path.
      new ToolError(
        'CONFLICT',
        findErrorLine(stderr).replace(/(?:checked out|used by worktree) at '.*$/s, 'checked out in another work tree'),
        {
          hint: 'finish or abort an operation in progress, such as a rebase; work on a branch in the work tree that has it checked out',
        },
      ),
  ],
];

const MOVED_BRANCH =
  /^(?:fatal|error): cannot lock ref '(?:HEAD|refs\/heads\/.{1,1000})': (?:is at [0-9a-f]+ but expected|unable to resolve reference|reference already exists).*/m;

const LOCK = /Unable to create '([^']*\.lock)': File exists/;

/**
 * Creates the error for a git process that failed.
 *
 * @param layout if given, the error contains the path of a lock file relative to the top of the work tree; otherwise, only its
 * name
 */
export function explainGitFailure(command: string, { code, stderr }: GitOutput, layout?: { readonly top: string }): ToolError {
  const lock = LOCK.exec(stderr)?.[1] ?? textBetween(stderr, 'could not lock config file ', ': File exists')?.concat('.lock');
  if (lock !== undefined) return lockedError(lock, layout);
  const [, explain] = MEANINGS.find(([pattern]) => pattern.test(stderr)) ?? [];
  return (
    explain?.(stderr) ?? new ToolError('GIT_FAILED', `git ${command} failed with exit code ${code}: ${findErrorLine(stderr)}`)
  );
}

/** Whether another process moved the branch. If git adds a reason why a reference cannot be resolved, the branch did not move. */
function isMovedBranch(stderr: string): boolean {
  const [line] = MOVED_BRANCH.exec(stderr) ?? [];
  return line !== undefined && (!line.includes('unable to resolve reference') || line.endsWith("'"));
}

/** Returns a matcher for messages of git that contain an arbitrary name between `before` and one of the phrases in `after`. */
function matchesPhrases(before: string, ...after: readonly string[]): Pick<RegExp, 'test'> {
  return { test: (stderr) => after.some((words) => textBetween(stderr, before, words) !== undefined) };
}

function uncommittedError(stderr: string): ToolError {
  return new ToolError('CONFLICT', findErrorLine(stderr), { hint: 'commit or stash the changes first, or resolve the conflict' });
}

function findPathspec(words: string): string {
  const pathspec = textBetween(words, "pathspec '", "' did not match");
  return pathspec === undefined ? 'the path' : `'${pathspec}'`;
}

/** Creates the error for a lock file. The lock file is kept, because its process may still be running. */
function lockedError(lock: string, layout: { readonly top: string } | undefined): ToolError {
  const age = measureAgeSeconds(lock);
  const file = layout === undefined ? path.basename(lock) : path.relative(layout.top, path.resolve(layout.top, lock));
  const since = age === undefined ? '' : `, which is ${age} s old`;
  return new ToolError('LOCKED', `another git process holds the lock file ${escapeInvisible(file)}${since}, or left it behind`, {
    hint: 'try again; if no other git process is running, ask the user to remove the lock file',
    data: { lock: file, age_seconds: age },
  });
}

/** Returns the age of a file in seconds, or `undefined` if the file no longer exists. */
function measureAgeSeconds(file: string): number | undefined {
  const facts = lstatSync(file, { throwIfNoEntry: false });
  return facts === undefined ? undefined : Math.max(0, Math.round((Date.now() - facts.mtimeMs) / 1000));
}

/** Returns the first line that git marks as an error, or else the first line, without passwords in URLs. */
export function findErrorLine(stderr: string): string {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '');
  const line = lines.find((each) => /^(?:fatal|error): /.test(each)) ?? lines[0] ?? 'no reason given';
  return escapeInvisible(redactSecrets(line.replace(/^(?:fatal|error): /, '')).slice(0, MAX_MESSAGE));
}

function parseListedFiles(stderr: string): readonly string[] {
  return [...stderr.matchAll(/^\t(.+)$/gm)].flatMap(([, file]) => file ?? []).slice(0, MAX_FILES);
}
