import { lstat, realpath } from 'node:fs/promises';
import path from 'node:path';

import { ToolError } from '@org/mcp-decorators';

import { quoted } from '../text/visible.ts';
import { looksBare } from './find.ts';
import type { Ground } from './places.ts';
import type { GitProgram } from './program.ts';
import type { Output } from './runner.ts';

/** Where a repository is looked for. */
export interface Search {
  /** Real path of a directory inside the roots. */
  readonly directory: string;
  /** How the caller named it. */
  readonly given: string;
  /** Above the root: no repository is looked for there. */
  readonly ceiling: string;
  readonly signal: AbortSignal;
}

const DIRECTORIES = ['--absolute-git-dir', '--git-common-dir'];

/**
 * The repository around a directory. A bare one only if it is that directory itself, and lies in no work tree: to git, whoever wrote
 * a file there could have written the repository.
 *
 * @throws ToolError NOT_A_REPO, REPO_UNTRUSTED
 */
export async function locate(git: GitProgram, search: Search): Promise<Ground> {
  const output = await revParse(git, search, ['--show-toplevel', ...DIRECTORIES]);
  if (output.code !== 0) {
    if (await isExplicitlyBare(search)) return locateBare(git, search);
    throw notUsable(search.given, output.stderr);
  }
  const [top, gitDir, commonDir] = await realPaths(output, search.given);
  return { top, isBare: false, gitDir, commonDir };
}

async function locateBare(git: GitProgram, search: Search): Promise<Ground> {
  // Found and not named by GIT_DIR: only then git looks whose it is.
  const output = await revParse(git, search, ['--is-bare-repository', ...DIRECTORIES], { 'safe.bareRepository': 'all' });
  if (output.code !== 0) throw notUsable(search.given, output.stderr);
  const [isBare, gitDir, commonDir] = await realPaths(output, search.given);
  // With a work tree it is none: git would look for that wherever its configuration says.
  if (isBare !== 'true' || gitDir !== search.directory)
    throw new ToolError(
      'REPO_UNTRUSTED',
      `${quoted(search.given)} is a git directory apart from its work tree, which is not used`,
    );
  return { top: gitDir, isBare: true, gitDir, commonDir };
}

/** Directories between a path and the root that holds it, both included. */
export function upToRoot(directory: string, ceiling: string): readonly string[] {
  const parts = path.relative(ceiling, directory).split(path.sep);
  return parts.map((_, position) => path.join(ceiling, ...parts.slice(0, position + 1)));
}

async function isExplicitlyBare({ directory, ceiling }: Search): Promise<boolean> {
  if (!(await looksBare(directory))) return false;
  const around = upToRoot(path.dirname(directory), ceiling);
  const trees = await Promise.all(around.map((each) => lstat(path.join(each, '.git')).catch(() => undefined)));
  return directory === upToRoot(directory, ceiling)[0] || trees.every((facts) => facts === undefined);
}

function revParse(
  git: GitProgram,
  { directory, ceiling, signal }: Search,
  what: readonly string[],
  config?: Readonly<Record<string, string>>,
): Promise<Output> {
  return git.run(['rev-parse', '--path-format=absolute', ...what], {
    cwd: directory,
    env: { GIT_CEILING_DIRECTORIES: ceiling },
    ...(config && { config }),
    signal,
    maxBytes: 65_536,
  });
}

async function realPaths({ stdout }: Output, given: string): Promise<readonly [string, string, string]> {
  const lines = stdout.toString('utf8').split('\n');
  const [first, second, third, end] = lines;
  // A path with a newline in it: rev-parse separates by nothing else.
  if (first === undefined || second === undefined || third === undefined || end !== '' || lines.length > 4)
    throw notARepository(given);
  const real = (each: string): Promise<string> => (path.isAbsolute(each) ? realpath(each) : Promise.resolve(each));
  return Promise.all([real(first), real(second), real(third)]);
}

function notUsable(given: string, stderr: string): ToolError {
  if (stderr.includes('dubious ownership'))
    return new ToolError('REPO_UNTRUSTED', `the repository ${quoted(given)} belongs to another user`, {
      hint: 'if you trust it, add it to safe.directory of your own git configuration',
    });
  if (stderr.includes('cannot use bare repository'))
    return new ToolError(
      'REPO_UNTRUSTED',
      `${quoted(given)} is a bare repository inside another one, or a directory of one, which is not used`,
    );
  if (/bad (?:numeric |boolean )?config|unable to parse '/.test(stderr))
    return new ToolError('REPO_UNTRUSTED', `the configuration of ${quoted(given)} cannot be read`);
  return notARepository(given);
}

export function notARepository(given: string): ToolError {
  return new ToolError('NOT_A_REPO', `${quoted(given)} is not in a git repository`, {
    hint: 'a repository whose top level is above the allowed directories is not used',
  });
}
