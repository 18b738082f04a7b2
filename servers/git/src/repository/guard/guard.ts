import path from 'node:path';

import { ToolError, escapeInvisible } from '@org/mcp-decorators';
import type { Roots } from '@org/mcp-roots';

import { redactSecrets } from '../../text/redact.ts';
import { quoteInput } from '../../text/visible.ts';
import { parseConfig, type ConfigEntry } from '../parse/config.ts';
import type { AllowedDirectories } from '../process/allowed-directories.ts';
import { explainGitFailure } from '../process/failures.ts';
import type { GitProgram } from '../process/git-program.ts';
import { buildCheckedConfiguration, type CheckedConfiguration } from './checked-configuration.ts';
import { listUpToRoot, locateRepository, type RepositorySearch } from './locate.ts';
import { bindToPaths } from './pinned-configurations.ts';
import { findReach, type Reach, type RepositoryLayout } from './repository-layout.ts';
import { identifyDirectories, stampFiles } from './stamp.ts';
import { findIncludedFile, findReadFile, isRepositoryEntry, isUserEntry, startsProgram } from './trust.ts';
import { listUserFiles } from './user-configuration.ts';

/** A repository that was examined before any command runs in it. */
export interface ExaminedRepository extends Settings {
  /** Real paths, other than the top directory, that git uses and that must be inside the roots. */
  readonly externalPaths: readonly string[];
}

/** The location of a repository and the dangers of its configuration. */
interface Settings {
  readonly layout: RepositoryLayout;
  /**
   * Files that git reads because of settings of the repository, or because of settings in files that clients may be able to
   * write.
   */
  readonly filesRead: readonly string[];
  /** Keys of the repository, or of files that clients may be able to write, that may start programs or contact hosts. */
  readonly executing: readonly string[];
  /** Whether some keys in `executing` are in files of the user that clients may be able to write. */
  readonly isUserFile: boolean;
  readonly configuration: CheckedConfiguration;
  /**
   * Stamp of the files and directories from which the fields above were read. It changes whenever one of these fields may have
   * changed.
   */
  readonly stamp: string;
}

interface CachedSettings {
  readonly settings: Settings;
  readonly watched: Watched;
}

/** The directories and files whose changes make the cached result of an examination stale. */
interface Watched {
  readonly directories: readonly string[];
  readonly files: readonly string[];
}

const MAX_CONFIG = 8_388_608;
/** In a repository with the reftable format, this file changes with every change of a reference. */
const REFTABLE_LIST = 'reftable/tables.list';
const MAX_KEYS = 10;
const MAX_CACHED = 1000;
/** Time limit for the examination, which usually takes milliseconds. */
const TIMEOUT_MS = 10_000;

/**
 * Finds the repository that contains a directory and examines it, before any other command runs there.
 *
 * The first examination of a directory requires two processes, or three for a bare repository. So does each examination after a
 * change of the layout or of the configuration. Any other examination starts no process. The targets of links are resolved again
 * whenever an entry of a scanned directory was added or removed.
 */
export class Guard {
  readonly #git: GitProgram;
  readonly #allowed: AllowedDirectories;
  readonly #settingsCache = new Map<string, CachedSettings>();
  readonly #reachCache = new Map<string, Reach>();

  constructor(git: GitProgram, allowed: AllowedDirectories) {
    this.#git = git;
    this.#allowed = allowed;
  }

  /**
   * @throws ToolError NOT_A_REPO; REPO_UNTRUSTED if another user owns the repository, or if its layout, files or configuration
   * cannot be checked; GIT_FAILED, and the errors of {@link GitProgram.run}
   */
  async examine(search: RepositorySearch): Promise<ExaminedRepository> {
    const settings = await this.#currentSettings(search);
    const { externalPaths, hasEndlessFile } = await this.#currentReach(settings.layout);
    if (hasEndlessFile) throw endlessReadError(search);
    return { ...settings, externalPaths };
  }

  async #currentSettings(search: RepositorySearch): Promise<Settings> {
    const known = this.#settingsCache.get(search.directory);
    if (known !== undefined && this.#stamp(known.watched) === known.settings.stamp) return known.settings;
    // If HEAD or an included file is a pipe, git never finishes reading it, so the examination has a time limit.
    const late = AbortSignal.timeout(TIMEOUT_MS);
    return this.#readSettings({ ...search, signal: AbortSignal.any([search.signal, late]) }).catch((error: unknown) => {
      throw late.aborted && !search.signal.aborted ? endlessReadError(search) : error;
    });
  }

  async #readSettings(search: RepositorySearch): Promise<Settings> {
    const layout = await locateRepository(this.#git, search);
    const directories = listWatchedDirectories(search, layout);
    // The stamp is taken before the configuration is read, so that a change in between invalidates the result.
    const before = { directories, files: listWatchedFiles(layout) };
    const taken = this.#stamp(before);
    const listed = await this.#listConfiguration(layout, search.signal);
    const entries = parseConfig(listed);
    const isWritable = this.#allowed.createPredicate(layout.top);
    const judged = judgeEntries(entries, layout, isWritable);
    const files = [...listConfigurationFiles(entries, layout), ...judged.filesRead];
    const others = [...new Set(files)].filter((file) => !before.files.includes(file));
    const configuration = buildCheckedConfiguration(listed, { ...layout, isWritable });
    const settings = { layout, ...judged, configuration, stamp: taken + stampFiles(others) };
    cacheBounded(this.#settingsCache, search.directory, {
      settings,
      watched: { directories, files: [...before.files, ...others] },
    });
    return settings;
  }

  #stamp({ directories, files }: Watched): string {
    return `${this.#allowed.size};${identifyDirectories(directories)}${stampFiles(files)}`;
  }

  async #currentReach(layout: RepositoryLayout): Promise<Reach> {
    const known = this.#reachCache.get(layout.gitDir);
    if (known !== undefined && stampFiles(known.watched) === known.stamp) return known;
    const reach = await findReach(layout);
    cacheBounded(this.#reachCache, layout.gitDir, reach);
    return reach;
  }

  async #listConfiguration(layout: RepositoryLayout, signal: AbortSignal): Promise<Buffer> {
    const args = ['config', '--list', '-z', '--show-scope', '--show-origin'];
    const output = await this.#git.run(args, { cwd: layout.top, env: bindToPaths(layout), signal, maxBytes: MAX_CONFIG });
    if (output.code !== 0) throw explainGitFailure('config', output);
    // The part of the output beyond the limit could contain settings that start programs, so the repository is rejected.
    if (output.isTruncated)
      throw new ToolError('REPO_UNTRUSTED', 'the configuration of the repository is too large to be checked');
    return output.stdout;
  }
}

/** Returns the paths at which git would find a nearer repository, and the git directory and common directory of the repository. */
function listWatchedDirectories(
  { directory, ceiling }: RepositorySearch,
  { top, gitDir, commonDir }: RepositoryLayout,
): readonly string[] {
  const between = listUpToRoot(directory, ceiling).filter((each) => each.length >= top.length);
  return [...between.map((each) => path.join(each, '.git')), gitDir, commonDir];
}

/** Returns the files that determine the layout of the repository or the behaviour of git. */
function listWatchedFiles({ gitDir, commonDir }: RepositoryLayout): readonly string[] {
  return [
    path.join(gitDir, 'commondir'),
    path.join(gitDir, 'config.worktree'),
    path.join(commonDir, 'config'),
    // A long-running object reader reads these two files only once, so a change of one of them must lead to a new reader.
    path.join(commonDir, 'shallow'),
    path.join(commonDir, 'objects/info/alternates'),
    ...listUserFiles(),
  ];
}

function endlessReadError({ given }: RepositorySearch): ToolError {
  return new ToolError(
    'REPO_UNTRUSTED',
    `the repository ${quoteInput(given)} cannot be read: one of its files is a pipe or a device`,
  );
}

function cacheBounded<Value>(kept: Map<string, Value>, key: string, value: Value): void {
  if (kept.size >= MAX_CACHED) kept.clear();
  kept.set(key, value);
}

/**
 * Returns the top of a work tree as clients see it.
 *
 * @throws ToolError PATH_OUTSIDE_ROOTS, with a message that does not reveal whether the path exists
 */
export async function resolveShownTop(top: string, given: string, roots: Roots): Promise<string> {
  const verified = await roots.resolveExisting(top).catch(() => undefined);
  if (verified === undefined) throw outsideError(given);
  return verified.shown;
}

/** @throws ToolError PATH_OUTSIDE_ROOTS, with the same message as {@link resolveShownTop} */
export async function requireInside({ externalPaths }: ExaminedRepository, given: string, roots: Roots): Promise<void> {
  const inside = await Promise.all(externalPaths.map((place) => isInside(place, roots)));
  if (!inside.every(Boolean)) throw outsideError(given);
}

function outsideError(given: string): ToolError {
  return new ToolError('PATH_OUTSIDE_ROOTS', `the repository ${quoteInput(given)} has parts outside the allowed directories`, {
    hint: 'the work tree, git directory, objects and alternates of the repository must all be inside; for a linked work tree, also the main work tree',
  });
}

/**
 * @throws ToolError REPO_UNTRUSTED if the configuration may start programs or contact hosts, or makes git read a file outside the
 * roots
 */
export async function requireTrust(
  { executing, filesRead, isUserFile }: ExaminedRepository,
  given: string,
  roots: Roots,
): Promise<void> {
  const inside = await Promise.all(filesRead.map((file) => isInside(file, roots)));
  const keys = [
    ...executing.map(redactSecrets),
    ...(inside.every(Boolean) ? [] : ['a setting that reads a file outside the allowed directories']),
  ];
  if (keys.length === 0) return;
  throw new ToolError('REPO_UNTRUSTED', `the configuration of ${quoteInput(given)} may start programs: ${formatKeys(keys)}`, {
    hint: `${isUserFile ? 'move your own settings to a file outside the allowed directories; ' : ''}if you trust the repository, start the server with --trust listed and the repository as an argument, or with --trust all`,
    data: { keys: keys.slice(0, MAX_KEYS) },
  });
}

function formatKeys(keys: readonly string[]): string {
  const more = keys.length > MAX_KEYS ? ` and ${keys.length - MAX_KEYS} more` : '';
  return `${keys.slice(0, MAX_KEYS).map(escapeInvisible).join(', ')}${more}`;
}

/**
 * Returns the files from which git read the configuration, and the files that the configuration includes. If an included file
 * depends on the branch, also returns the files that name the current branch.
 */
function listConfigurationFiles(
  entries: readonly ConfigEntry[],
  { top, gitDir, commonDir }: RepositoryLayout,
): readonly string[] {
  const read = entries.flatMap(({ file }) => file ?? []).map((file) => path.resolve(top, file));
  const included = entries.flatMap((entry) => findIncludedFile(entry, top) ?? []);
  const dependsOnBranch = entries.some(({ key }) => key.startsWith('includeif.onbranch:'));
  const heads = [path.join(gitDir, 'HEAD'), path.join(gitDir, REFTABLE_LIST), path.join(commonDir, REFTABLE_LIST)];
  return [...read, ...included, ...(dependsOnBranch ? heads : [])];
}

/**
 * Finds the settings of the repository that may start programs, contact hosts or read files. A setting of the user in a file that
 * clients may be able to write counts as a setting of the repository.
 */
function judgeEntries(
  entries: readonly ConfigEntry[],
  { top }: RepositoryLayout,
  isWritable: (file: Buffer) => boolean,
): Pick<ExaminedRepository, 'executing' | 'filesRead' | 'isUserFile'> {
  const own = entries.filter(
    (entry) => isRepositoryEntry(entry) || (isUserEntry(entry) && isWritable(Buffer.from(entry.file ?? ''))),
  );
  const executing = own.filter(startsProgram);
  return {
    executing: [...new Set(executing.map(({ key }) => key))],
    isUserFile: executing.some(isUserEntry),
    filesRead: own.flatMap((entry) => findReadFile(entry, top) ?? []),
  };
}

async function isInside(place: string, roots: Roots): Promise<boolean> {
  return roots.resolveExisting(place).then(
    () => true,
    (error: unknown) => ToolError.is(error) && error.code === 'NOT_FOUND',
  );
}
