import { lstat, realpath } from 'node:fs/promises';
import path from 'node:path';

import { ToolError } from '@org/mcp-decorators';

import { quoteInput } from '../../text/visible.ts';
import type { GitProgram } from '../process/git-program.ts';
import type { GitOutput } from '../process/run-process.ts';
import { looksLikeBareRepository } from './find.ts';
import type { RepositoryLayout } from './repository-layout.ts';

/** The directory from which git searches upwards for a repository. */
export interface RepositorySearch {
  /** Real path of a directory inside the roots. */
  readonly directory: string;
  /** The path as the caller wrote it. */
  readonly given: string;
  /** Parent directory of the root. Git does not look for a repository there. */
  readonly ceiling: string;
  readonly signal: AbortSignal;
}

const DIRECTORIES = ['--absolute-git-dir', '--git-common-dir'];

/**
 * Finds the repository that contains a directory. A bare repository is accepted only if it is the directory itself, and the
 * directory is a root or is in no work tree. Otherwise, anyone who can write files in the work tree could have planted the bare
 * repository.
 *
 * @throws ToolError NOT_A_REPO, REPO_UNTRUSTED
 */
export async function locateRepository(git: GitProgram, search: RepositorySearch): Promise<RepositoryLayout> {
  const output = await runRevParse(git, search, ['--show-toplevel', ...DIRECTORIES]);
  if (output.code !== 0) {
    if (await isExplicitlyBare(search)) return locateBare(git, search);
    throw explainUnusable(search.given, output.stderr);
  }
  const [top, gitDir, commonDir] = await parseRealPaths(output, search.given);
  return { top, isBare: false, gitDir, commonDir };
}

async function locateBare(git: GitProgram, search: RepositorySearch): Promise<RepositoryLayout> {
  // Git checks the owner of a repository only if git finds the repository itself. Therefore GIT_DIR is not set here.
  const output = await runRevParse(git, search, ['--is-bare-repository', ...DIRECTORIES], { 'safe.bareRepository': 'all' });
  if (output.code !== 0) throw explainUnusable(search.given, output.stderr);
  const [isBare, gitDir, commonDir] = await parseRealPaths(output, search.given);
  // A repository with a work tree is rejected, because its configuration determines where git looks for the work tree.
  if (isBare !== 'true' || gitDir !== search.directory)
    throw new ToolError(
      'REPO_UNTRUSTED',
      `${quoteInput(search.given)} is a git directory that is separate from its work tree; such a repository is not opened`,
    );
  return { top: gitDir, isBare: true, gitDir, commonDir };
}

/** Lists the directories from the root to a directory inside the root, both included. */
export function listUpToRoot(directory: string, ceiling: string): readonly string[] {
  const parts = path.relative(ceiling, directory).split(path.sep);
  return parts.map((_, position) => path.join(ceiling, ...parts.slice(0, position + 1)));
}

async function isExplicitlyBare({ directory, ceiling }: RepositorySearch): Promise<boolean> {
  if (!(await looksLikeBareRepository(directory))) return false;
  const around = listUpToRoot(path.dirname(directory), ceiling);
  const trees = await Promise.all(around.map((each) => lstat(path.join(each, '.git')).catch(() => undefined)));
  return directory === listUpToRoot(directory, ceiling)[0] || trees.every((facts) => facts === undefined);
}

function runRevParse(
  git: GitProgram,
  { directory, ceiling, signal }: RepositorySearch,
  what: readonly string[],
  config?: Readonly<Record<string, string>>,
): Promise<GitOutput> {
  return git.run(['rev-parse', '--path-format=absolute', ...what], {
    cwd: directory,
    env: { GIT_CEILING_DIRECTORIES: ceiling },
    ...(config && { config }),
    signal,
    maxBytes: 65_536,
  });
}

async function parseRealPaths({ stdout }: GitOutput, given: string): Promise<readonly [string, string, string]> {
  const lines = stdout.toString('utf8').split('\n');
  const [first, second, third, end] = lines;
  // `rev-parse` separates paths with newlines only, so a path that contains a newline cannot be parsed and is rejected.
  if (first === undefined || second === undefined || third === undefined || end !== '' || lines.length > 4)
    throw notARepositoryError(given);
  const real = (each: string): Promise<string> => (path.isAbsolute(each) ? realpath(each) : Promise.resolve(each));
  return Promise.all([real(first), real(second), real(third)]);
}

function explainUnusable(given: string, stderr: string): ToolError {
  if (stderr.includes('dubious ownership'))
    return new ToolError('REPO_UNTRUSTED', `the repository ${quoteInput(given)} belongs to another user`, {
      hint: 'if you trust the repository, add it to safe.directory in your own git configuration',
    });
  if (stderr.includes('cannot use bare repository'))
    return new ToolError(
      'REPO_UNTRUSTED',
      `${quoteInput(given)} is a bare repository inside another repository, or a directory of a git directory; such a repository is not opened`,
    );
  if (/bad (?:numeric |boolean )?config|unable to parse '/.test(stderr))
    return new ToolError('REPO_UNTRUSTED', `the configuration of ${quoteInput(given)} cannot be read`);
  return notARepositoryError(given);
}

export function notARepositoryError(given: string): ToolError {
  return new ToolError('NOT_A_REPO', `${quoteInput(given)} is not in a git repository`, {
    hint: 'a repository whose top is above the allowed directories is not opened',
  });
}
