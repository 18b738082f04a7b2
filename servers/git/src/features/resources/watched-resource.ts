import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import path, { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { ToolError } from '@org/mcp-decorators';
import type { WatchTarget, WatchedResource } from '@org/mcp-watch';

import type { RepositoryLayout } from '../../repository/guard/repository-layout.ts';
import { findOid } from '../../repository/refs/object.ts';
import { resolveCommit } from '../../repository/refs/revision.ts';
import type { Repository } from '../../repository/repository.ts';
import { resolvePath } from '../../repository/work-tree/paths.ts';
import { decodeNames } from '../../repository/parse/fields.ts';
import { areFullObjectNames, isAbsence } from './contents.ts';
import { readConflicts } from './read-conflict.ts';
import { readStagedDiff, readUnstagedDiff } from './read-diff.ts';
import { readHead } from './read-head.ts';
import { readRefs } from './read-refs.ts';
import { readStatus } from './read-status.ts';
import { namedRevisions, type UriVariables } from './uris.ts';

/** A resource: its URI, the name of its URI template, and the variables in the URI. */
export interface ResourceTarget {
  readonly uri: string;
  readonly name: string;
  readonly variables: UriVariables;
}

/** Opens the repository for each use, so that git never runs in a repository that is no longer allowed. */
type OpenRepository = () => Promise<Repository>;

interface Watched {
  readonly targets: (layout: RepositoryLayout, open: OpenRepository) => readonly WatchTarget[];
  readonly value: (repository: Repository) => Promise<unknown>;
}

/**
 * How the resources whose URI names no revision are watched, by template name. Reading a value takes no lock, so it changes no
 * watched file.
 */
const WATCHED: Readonly<Record<string, Watched>> = {
  status: { targets: watchWorkTree, value: readStatus },
  diff_unstaged: { targets: watchWorkTree, value: readUnstagedDiff },
  diff_staged: { targets: watchIndex, value: readStagedDiff },
  conflict: { targets: watchIndex, value: readConflicts },
  head: { targets: watchRefs, value: readHead },
  refs: { targets: watchRefs, value: readRefs },
};

/** Lock files that exist while git changes the repository. A read waits until no lock file exists, at most `MAX_LOCK_MS`. */
const LOCKS = ['index.lock', 'HEAD.lock'];
const MAX_LOCK_MS = 1000;
/**
 * Milliseconds between two reads of a changing resource. A branch switch changes files, index and HEAD one after the other, so a
 * single read may see an intermediate state.
 */
const STABLE_MS = 30;
const MAX_LOOKS = 5;

/**
 * Returns the paths to watch for a resource, and a function that reads a fingerprint. A resource with only full object names in
 * its URI never changes, so it needs no paths.
 */
export function watchedResource(named: ResourceTarget, { layout }: Repository, open: OpenRepository): WatchedResource {
  const names = namedRevisions(named.variables);
  if (areFullObjectNames(names)) return { key: 'immutable', targets: [], fingerprint: () => '' };
  const { targets, value } = WATCHED[named.name] ?? watchRevisions(names, named.variables.path);
  return {
    key: named.uri,
    targets: targets(layout, open),
    fingerprint: waitUntilStable(async () => {
      await waitForLocks(layout);
      return fingerprintValue(open, value);
    }),
  };
}

/**
 * Returns how to watch a resource that names revisions (default: HEAD). The value consists of their commits or, with a path, of
 * the objects at the path in these commits.
 */
function watchRevisions(names: readonly string[], path: string | undefined): Watched {
  const given = names.length === 0 ? ['HEAD'] : names;
  return { targets: watchRefs, value: (repository) => Promise.all(given.map((name) => resolveAt(repository, name, path))) };
}

async function resolveAt(repository: Repository, revision: string, path: string | undefined): Promise<string> {
  const oid = await resolveCommit(repository, revision);
  if (path === undefined || path === '') return oid;
  const name = `${oid}:${resolvePath(repository, path)}`;
  return (await findOid(repository, name)) ?? '';
}

function watchWorkTree(layout: RepositoryLayout, open: OpenRepository): readonly WatchTarget[] {
  return layout.isBare ? watchIndex(layout) : watchWorkTreeFiles(layout, new IgnoredDirectories(layout.top, open));
}

async function fingerprintValue(open: OpenRepository, value: Watched['value']): Promise<string> {
  try {
    return createHash('sha256')
      .update(JSON.stringify(await value(await open())))
      .digest('base64url');
  } catch (error) {
    if (ToolError.is(error) && isAbsence(error)) return 'absent';
    throw error;
  }
}

/**
 * Returns a function that reads a fingerprint. If the fingerprint differs from the previous result, the function reads it until
 * two consecutive reads agree, at most `MAX_LOOKS` times in all.
 */
function waitUntilStable(look: () => Promise<string>): () => Promise<string> {
  let last: string | undefined;
  return async () => {
    let seen = await look();
    for (let looks = 1; last !== undefined && seen !== last && looks < MAX_LOOKS; looks += 1) {
      await delay(STABLE_MS, undefined, { ref: false });
      const before = seen;
      seen = await look();
      if (seen === before) break;
    }
    last = seen;
    return seen;
  };
}

async function waitForLocks({ gitDir }: RepositoryLayout): Promise<void> {
  const deadline = performance.now() + MAX_LOCK_MS;
  while (performance.now() < deadline && isLocked(gitDir)) await delay(STABLE_MS, undefined, { ref: false });
}

function isLocked(gitDir: string): boolean {
  return LOCKS.some((name) => existsSync(join(gitDir, name)));
}

/** Directories in the git directory of a submodule. Changes in these directories never change the commit of the submodule. */
const SILENT = new Set(['objects', 'hooks', 'info', 'lfs']);

/** Returns the paths that change when HEAD, a branch or a tag moves, or the configuration changes. */
function watchRefs({ gitDir, commonDir }: RepositoryLayout): readonly WatchTarget[] {
  return [
    { kind: 'file', path: path.join(gitDir, 'HEAD') },
    { kind: 'file', path: path.join(commonDir, 'config') },
    { kind: 'file', path: path.join(commonDir, 'packed-refs') },
    watchEverything(path.join(commonDir, 'refs')),
    ...[...new Set([gitDir, commonDir])].map((directory) => watchEverything(path.join(directory, 'reftable'))),
  ];
}

/** Returns the paths of {@link watchRefs} and the git directory, which changes when files are staged or an operation starts or ends. */
function watchIndex(layout: RepositoryLayout): readonly WatchTarget[] {
  return [...watchRefs(layout), { kind: 'directory', path: layout.gitDir }];
}

/**
 * Returns the paths of {@link watchIndex}, the ignore rules in `info/exclude`, the git directories of submodules, and the work
 * tree. Nested repositories, and ignored directories without tracked files, are not watched.
 */
function watchWorkTreeFiles(layout: RepositoryLayout, ignored: IgnoredDirectories): readonly WatchTarget[] {
  const { top, commonDir } = layout;
  return [
    ...watchIndex(layout),
    { kind: 'file', path: path.join(commonDir, 'info/exclude') },
    { kind: 'tree', path: path.join(commonDir, 'modules'), ignores: (relative) => SILENT.has(path.posix.basename(relative)) },
    { kind: 'tree', path: top, ignores: (relative) => ignored.has(relative), rules: '.gitignore' },
  ];
}

function watchEverything(directory: string): WatchTarget {
  return { kind: 'tree', path: directory, ignores: () => false };
}

interface Query {
  readonly relative: string;
  readonly answer: (isIgnored: boolean) => void;
}

/** Decides which directories of a work tree need no watcher: nested repositories, and ignored directories without tracked files. */
class IgnoredDirectories {
  readonly #top: string;
  readonly #open: () => Promise<Repository>;
  #pending: Query[] = [];
  #isRunning = false;

  /** @param open opens the repository for each query, so that git never runs in a repository that is no longer allowed */
  constructor(top: string, open: () => Promise<Repository>) {
    this.#top = top;
    this.#open = open;
  }

  /** @param relative path below the top, with `/` as the separator */
  has(relative: string): boolean | Promise<boolean> {
    if (path.posix.basename(relative) === '.git' || existsSync(path.join(this.#top, relative, '.git'))) return true;
    return new Promise((answer) => {
      this.#pending.push({ relative, answer });
      if (!this.#isRunning) void this.#answerPending();
    });
  }

  /** Answers pending queries in batches. A batch runs at most two git processes, one after the other. */
  async #answerPending(): Promise<void> {
    this.#isRunning = true;
    // Waits until all queries of the same tick are pending, so that one batch answers them.
    await Promise.resolve();
    while (this.#pending.length > 0) {
      const questions = this.#pending;
      this.#pending = [];
      const ignored = await this.#findIgnored(questions.map(({ relative }) => relative)).catch(() => new Set());
      for (const { relative, answer } of questions) answer(ignored.has(relative));
    }
    this.#isRunning = false;
  }

  async #findIgnored(directories: readonly string[]): Promise<ReadonlySet<unknown>> {
    const repository = await this.#open();
    // The index is searched only for directories that match an ignore rule, because each search reads the whole index.
    const named = await checkIgnore(repository, ['--no-index'], directories);
    return new Set(named.length === 0 ? [] : await checkIgnore(repository, [], named));
  }
}

/** Returns the given directories that are ignored. With the flag `--no-index`, tracked files in a directory have no effect. */
async function checkIgnore(
  repository: Repository,
  flags: readonly string[],
  directories: readonly string[],
): Promise<readonly string[]> {
  // `git check-ignore` does not support literal pathspecs, but a path that starts with `./` is never a pattern.
  const env = { GIT_LITERAL_PATHSPECS: '0' };
  const input = directories.map((directory) => `./${directory}\0`).join('');
  const { stdout } = await repository.read(['check-ignore', ...flags, '--stdin', '-z'], { codes: [0, 1], env, input });
  return decodeNames(stdout).map((directory) => directory.slice('./'.length));
}
