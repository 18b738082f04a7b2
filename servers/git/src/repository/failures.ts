import { lstatSync } from 'node:fs';
import path from 'node:path';

import { ToolError, visibleName } from '@org/mcp-decorators';

import { between } from '../text/between.ts';
import { redacted } from '../text/redacted.ts';
import type { Ground } from './places.ts';
import type { Output } from './runner.ts';

/** More of git's own words than this is not repeated. */
const MAX_WORDS = 400;
const MAX_FILES = 20;

type Explain = (stderr: string) => ToolError;

/** What git says, in English because of LC_ALL, and what it means to the caller. */
const MEANINGS: readonly (readonly [Pick<RegExp, 'test'>, Explain])[] = [
  [/must be run in a work tree/, () => new ToolError('NO_WORK_TREE', 'the repository is bare: it has no work tree and no index')],
  [
    said("pathspec '", "' did not match any file"),
    (stderr) =>
      new ToolError('PATH_NOT_FOUND', `there is no ${pathspecIn(ownWords(stderr))}`, {
        hint: 'names are relative to the top of the repository; git_status lists what has changed',
      }),
  ],
  [
    said("No such path '", "' in the diff"),
    () => new ToolError('INVALID_ARGUMENTS', 'the cursor names no file of this diff', { hint: 'leave it out to begin again' }),
  ],
  [
    /^fatal: (?:command line, '|In '-' at 1, '|header, '|invalid regex)/m,
    () =>
      new ToolError('INVALID_ARGUMENTS', 'what is looked for is no regular expression', {
        hint: 'write a POSIX extended one, or leave `regex` out',
      }),
  ],
  [/is beyond a symbolic link|is in submodule/, (stderr) => new ToolError('INVALID_PATH', ownWords(stderr))],
  [
    /would be overwritten by (?:checkout|merge|cherry-pick|revert)/,
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
    { test: isMovedBranch },
    () =>
      new ToolError('CONFLICT', 'another git process moved the branch meanwhile; its commits are kept', {
        hint: 'look at git_log and git_status, and call again',
      }),
  ],
  [said("Entry '", "' not uptodate", "' would be overwritten"), uncommitted],
  [/is unmerged$/m, uncommitted],
  [
    /cannot do a partial commit during|in the middle of a [a-z -]{1,40} -- cannot amend/,
    (stderr) => new ToolError('CONFLICT', ownWords(stderr), { hint: 'end that operation first' }),
  ],
  [
    /cannot switch branch while|(?:checked out|used by worktree) at/,
    (stderr) =>
      // Where that is may be outside.
      new ToolError('CONFLICT', ownWords(stderr).replace(/ at '.*$/s, ' in another work tree'), {
        hint: 'end that operation, or use the other worktree',
      }),
  ],
];

const MOVED =
  /^(?:fatal|error): cannot lock ref '(?:HEAD|refs\/heads\/.{1,1000})': (?:is at [0-9a-f]+ but expected|unable to resolve reference|reference already exists).*/m;

const LOCK = /Unable to create '([^']*\.lock)': File exists/;

/** The error of a run that did not end with one of the codes its caller expects; with the ground, of a held lock it says which. */
export function failureOf(command: string, { code, stderr }: Output, ground?: Pick<Ground, 'top'>): ToolError {
  const lock = LOCK.exec(stderr)?.[1] ?? between(stderr, 'could not lock config file ', ': File exists')?.concat('.lock');
  if (lock !== undefined) return locked(lock, ground);
  const [, explain] = MEANINGS.find(([pattern]) => pattern.test(stderr)) ?? [];
  return explain?.(stderr) ?? new ToolError('GIT_FAILED', `git ${command} ended with ${code}: ${ownWords(stderr)}`);
}

/** If git adds the reason why it cannot resolve a reference, such as "reference broken", the reference has not moved. */
function isMovedBranch(stderr: string): boolean {
  const [line] = MOVED.exec(stderr) ?? [];
  return line !== undefined && (!line.includes('unable to resolve reference') || line.endsWith("'"));
}

/** Matches the words that git writes before and after an arbitrary name. */
function said(before: string, ...after: readonly string[]): Pick<RegExp, 'test'> {
  return { test: (stderr) => after.some((words) => between(stderr, before, words) !== undefined) };
}

function uncommitted(stderr: string): ToolError {
  return new ToolError('CONFLICT', ownWords(stderr), { hint: 'commit or stash it first, or resolve the conflict' });
}

function pathspecIn(words: string): string {
  const pathspec = between(words, "pathspec '", "' did not match");
  return pathspec === undefined ? 'such file' : `'${pathspec}'`;
}

/** A lock is not removed: nobody can tell whether its process still runs. */
function locked(lock: string, ground: Pick<Ground, 'top'> | undefined): ToolError {
  const age = ageOf(lock);
  const file = ground === undefined ? path.basename(lock) : path.relative(ground.top, path.resolve(ground.top, lock));
  const since = age === undefined ? '' : `, which is ${age} s old`;
  return new ToolError('LOCKED', `another git process holds the lock ${visibleName(file)}${since}, or left it behind`, {
    hint: 'try again; if nothing else is running, a person may remove that file',
    data: { lock: file, age_seconds: age },
  });
}

/** Seconds since a file was made; `undefined` if it is gone by now. */
function ageOf(file: string): number | undefined {
  const facts = lstatSync(file, { throwIfNoEntry: false });
  return facts === undefined ? undefined : Math.max(0, Math.round((Date.now() - facts.mtimeMs) / 1000));
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
