import { lstat, realpath } from 'node:fs/promises';
import path from 'node:path';

import { ToolError } from '@org/mcp-decorators';
import type { Roots } from '@org/mcp-roots';

import { quoted, visibleName } from '../text/visible.ts';
import { failureOf } from './failures.ts';
import { placesOf, watchedPlaces, type Ground } from './places.ts';
import type { GitProgram } from './program.ts';
import { executes, fileRead, isRepositorys, parseConfig, type ConfigEntry } from './trust.ts';

/** A repository that was looked at before anything is run in it. */
export interface Examined {
  readonly ground: Ground;
  /** Real paths that all have to be inside the roots. */
  readonly places: readonly string[];
  /** Files that its configuration makes git read. */
  readonly filesRead: readonly string[];
  /** Keys of its configuration that start programs. */
  readonly executing: readonly string[];
}

interface Known {
  readonly examined: Examined;
  readonly watched: readonly string[];
  readonly stamp: string;
}

const MAX_CONFIG = 8_388_608;
const MAX_KEYS = 10;

/**
 * Finds the repository around a directory and what is dangerous about it, before any other command runs there.
 *
 * Two processes for a repository that is new or whose configuration changed, none otherwise.
 */
export class Guard {
  readonly #git: GitProgram;
  readonly #known = new Map<string, Known>();

  constructor(git: GitProgram) {
    this.#git = git;
  }

  /**
   * @param directory real path of a directory inside the roots
   * @param given how the caller named it
   * @throws ToolError NOT_A_REPO, REPO_UNTRUSTED for one that another user owns
   */
  async examine(
    directory: string,
    given: string,
    context: { readonly ceiling: string; readonly signal: AbortSignal },
  ): Promise<Examined> {
    const known = this.#known.get(directory);
    if (known !== undefined && (await stampOf(known.watched)) === known.stamp) return known.examined;
    const ground = await this.#locate(directory, given, context);
    // Taken before the configuration is read: a change in between makes the next call look again.
    const watched = watchedPlaces(ground);
    const before = await stampOf(watched);
    const entries = await this.#configuration(ground, context.signal);
    const examined = { ground, places: await placesOf(ground), ...judge(entries, ground) };
    const included = entries.flatMap(({ file }) => file ?? []).map((file) => path.resolve(ground.top, file));
    const others = [...new Set([...included, ...examined.filesRead])].filter((file) => !watched.includes(file));
    const stamp = before + (await stampOf(others));
    this.#known.set(directory, { examined, watched: [...watched, ...others], stamp });
    return examined;
  }

  async #locate(
    directory: string,
    given: string,
    { ceiling, signal }: { readonly ceiling: string; readonly signal: AbortSignal },
  ): Promise<Ground> {
    const args = ['rev-parse', '--path-format=absolute', '--show-toplevel', '--absolute-git-dir', '--git-common-dir'];
    const env = { GIT_CEILING_DIRECTORIES: ceiling };
    const output = await this.#git.run(args, { cwd: directory, env, signal, maxBytes: 65_536 });
    if (output.code !== 0) throw notUsable(given, output.stderr);
    const lines = output.stdout.toString('utf8').split('\n');
    const [top, gitDir, commonDir, end] = lines;
    // A path with a newline in it: rev-parse separates by nothing else.
    if (top === undefined || gitDir === undefined || commonDir === undefined || end !== '' || lines.length > 4)
      throw notARepository(given);
    const [realTop, realGitDir, realCommonDir] = await Promise.all([top, gitDir, commonDir].map((each) => realpath(each)));
    return { top: realTop ?? top, isBare: false, gitDir: realGitDir ?? gitDir, commonDir: realCommonDir ?? commonDir };
  }

  async #configuration(ground: Ground, signal: AbortSignal): Promise<readonly ConfigEntry[]> {
    const args = ['config', '--list', '-z', '--show-scope', '--show-origin'];
    const output = await this.#git.run(args, { cwd: ground.top, env: bound(ground), signal, maxBytes: MAX_CONFIG });
    if (output.code !== 0) throw failureOf('config', output);
    // What was cut off could be what has to be refused.
    if (output.truncated) throw new ToolError('REPO_UNTRUSTED', 'the configuration of the repository is too large to be checked');
    return parseConfig(output.stdout);
  }
}

/** Ties git to the directories that were looked at, whatever a `.git` file or a parent directory says by now. */
export function bound({ top, gitDir, commonDir }: Ground): Readonly<Record<string, string>> {
  return { GIT_DIR: gitDir, GIT_WORK_TREE: top, ...(commonDir !== gitDir && { GIT_COMMON_DIR: commonDir }) };
}

/** @throws ToolError PATH_OUTSIDE_ROOTS, in words that do not tell what is there */
export async function requireInside({ places }: Examined, given: string, roots: Roots): Promise<void> {
  const inside = await Promise.all(places.map((place) => isInside(place, roots)));
  if (inside.every(Boolean)) return;
  throw new ToolError(
    'PATH_OUTSIDE_ROOTS',
    `the repository ${quoted(given)} has parts that are not inside the allowed directories`,
    {
      hint: 'its work tree, git directory, objects and alternates all have to be',
    },
  );
}

/** @throws ToolError REPO_UNTRUSTED */
export async function requireTrust({ executing, filesRead }: Examined, given: string, roots: Roots): Promise<void> {
  const inside = await Promise.all(filesRead.map((file) => isInside(file, roots)));
  const keys = [...executing, ...(inside.every(Boolean) ? [] : ['include.path or blame.ignoreRevsFile outside'])];
  if (keys.length === 0) return;
  throw new ToolError('REPO_UNTRUSTED', `the configuration of ${quoted(given)} may run programs: ${shownKeys(keys)}`, {
    hint: 'if you trust it, start the server with --trust listed and the repository as an argument, or with --trust all',
    data: { keys: keys.slice(0, MAX_KEYS) },
  });
}

function shownKeys(keys: readonly string[]): string {
  const more = keys.length > MAX_KEYS ? ` and ${keys.length - MAX_KEYS} more` : '';
  return `${keys.slice(0, MAX_KEYS).map(visibleName).join(', ')}${more}`;
}

function judge(entries: readonly ConfigEntry[], { top }: Ground): Pick<Examined, 'executing' | 'filesRead'> {
  const own = entries.filter(isRepositorys);
  return {
    executing: [...new Set(own.filter(executes).map(({ key }) => key))],
    filesRead: own.flatMap((entry) => fileRead(entry, top) ?? []),
  };
}

async function isInside(place: string, roots: Roots): Promise<boolean> {
  return roots.existing(place).then(
    () => true,
    (error: unknown) => ToolError.is(error) && error.code === 'NOT_FOUND',
  );
}

/** Changes with the identity, size or time of any of the files, and when one appears or goes. */
async function stampOf(files: readonly string[]): Promise<string> {
  const facts = await Promise.all(files.map((file) => lstat(file, { bigint: true }).catch(() => undefined)));
  return facts
    .map((fact) => (fact === undefined ? '-;' : `${fact.dev}:${fact.ino}:${fact.size}:${fact.mtimeNs}:${fact.ctimeNs};`))
    .join('');
}

function notUsable(given: string, stderr: string): ToolError {
  if (stderr.includes('dubious ownership'))
    return new ToolError('REPO_UNTRUSTED', `the repository ${quoted(given)} belongs to another user`, {
      hint: 'if you trust it, add it to safe.directory of your own git configuration',
    });
  if (stderr.includes('cannot use bare repository'))
    return new ToolError('REPO_UNTRUSTED', `${quoted(given)} is a bare repository, which is not used`);
  if (/bad (?:numeric |boolean )?config|unable to parse '/.test(stderr))
    return new ToolError('REPO_UNTRUSTED', `the configuration of ${quoted(given)} cannot be read`);
  return notARepository(given);
}

export function notARepository(given: string): ToolError {
  return new ToolError('NOT_A_REPO', `${quoted(given)} is not in a git repository`, {
    hint: 'a repository whose top level is above the allowed directories is not used',
  });
}
