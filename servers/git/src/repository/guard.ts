import path from 'node:path';

import { ToolError, visibleName } from '@org/mcp-decorators';
import type { Roots } from '@org/mcp-roots';

import { redacted } from '../text/redacted.ts';
import { quoted } from '../text/visible.ts';
import type { AllowedDirectories } from './allowed-directories.ts';
import { checkedConfiguration, type CheckedConfiguration } from './checked-configuration.ts';
import { failureOf } from './failures.ts';
import { locate, upToRoot, type Search } from './locate.ts';
import { parseConfig, type ConfigEntry } from './parse/config.ts';
import { bound } from './pinned-configurations.ts';
import { reachOf, type Ground, type Reach } from './places.ts';
import type { GitProgram } from './program.ts';
import { identityOf, stampOf } from './stamp.ts';
import { executes, fileIncluded, fileRead, isRepositorys, isUsers } from './trust.ts';
import { userFiles } from './user-files.ts';

/** A repository that was looked at before anything is run in it. */
export interface Examined extends Settings {
  /** Real paths that all have to be inside the roots, besides the top. */
  readonly places: readonly string[];
}

/** Where a repository is, and what its configuration would make git do. */
interface Settings {
  readonly ground: Ground;
  /** Files that its configuration makes git read. */
  readonly filesRead: readonly string[];
  /** Keys of its configuration that start programs. */
  readonly executing: readonly string[];
  /** Some of these keys are in files of the user that clients may be able to write. */
  readonly isUsersFile: boolean;
  readonly configuration: CheckedConfiguration;
  /** Another one as soon as any of this could be another. */
  readonly stamp: string;
}

interface Known {
  readonly settings: Settings;
  readonly watched: Watched;
}

/** What settings depend on. */
interface Watched {
  readonly directories: readonly string[];
  readonly files: readonly string[];
}

const MAX_CONFIG = 8_388_608;
/** Changes with every reference of the reftable format. */
const TABLES = 'reftable/tables.list';
const MAX_KEYS = 10;
const MAX_KNOWN = 1000;
/** What is looked at before anything else takes milliseconds. */
const LOOK_MS = 10_000;

/**
 * Finds the repository around a directory and what is dangerous about it, before any other command runs there.
 *
 * Two processes for a repository that is new or whose configuration changed, none otherwise. Where links lead is looked at again
 * whenever an entry of the git directory came or went.
 */
export class Guard {
  readonly #git: GitProgram;
  readonly #allowed: AllowedDirectories;
  readonly #known = new Map<string, Known>();
  readonly #reaches = new Map<string, Reach>();

  constructor(git: GitProgram, allowed: AllowedDirectories) {
    this.#git = git;
    this.#allowed = allowed;
  }

  /** @throws ToolError NOT_A_REPO, REPO_UNTRUSTED for one that another user owns */
  async examine(search: Search): Promise<Examined> {
    const settings = await this.#settings(search);
    const { places, waits } = await this.#reach(settings.ground);
    if (waits) throw neverEnding(search);
    return { ...settings, places };
  }

  async #settings(search: Search): Promise<Settings> {
    const known = this.#known.get(search.directory);
    if (known !== undefined && this.#stampOf(known.watched) === known.settings.stamp) return known.settings;
    // A pipe in place of HEAD or of an included file would never end.
    const late = AbortSignal.timeout(LOOK_MS);
    return this.#look({ ...search, signal: AbortSignal.any([search.signal, late]) }).catch((error: unknown) => {
      throw late.aborted && !search.signal.aborted ? neverEnding(search) : error;
    });
  }

  async #look(search: Search): Promise<Settings> {
    const ground = await locate(this.#git, search);
    const directories = watchedDirectories(search, ground);
    // Taken before the configuration is read: a change in between makes the next call look again.
    const before = { directories, files: watchedFiles(ground) };
    const taken = this.#stampOf(before);
    const listed = await this.#list(ground, search.signal);
    const entries = parseConfig(listed);
    const isWritable = this.#allowed.predicate(ground.top);
    const judged = judge(entries, ground, isWritable);
    const files = [...filesOf(entries, ground), ...judged.filesRead];
    const others = [...new Set(files)].filter((file) => !before.files.includes(file));
    const configuration = checkedConfiguration(listed, { ...ground, isWritable });
    const settings = { ground, ...judged, configuration, stamp: taken + stampOf(others) };
    keep(this.#known, search.directory, { settings, watched: { directories, files: [...before.files, ...others] } });
    return settings;
  }

  #stampOf({ directories, files }: Watched): string {
    return `${this.#allowed.size};${identityOf(directories)}${stampOf(files)}`;
  }

  async #reach(ground: Ground): Promise<Reach> {
    const known = this.#reaches.get(ground.gitDir);
    if (known !== undefined && stampOf(known.watched) === known.stamp) return known;
    const reach = await reachOf(ground);
    keep(this.#reaches, ground.gitDir, reach);
    return reach;
  }

  async #list(ground: Ground, signal: AbortSignal): Promise<Buffer> {
    const args = ['config', '--list', '-z', '--show-scope', '--show-origin'];
    const output = await this.#git.run(args, { cwd: ground.top, env: bound(ground), signal, maxBytes: MAX_CONFIG });
    if (output.code !== 0) throw failureOf('config', output);
    // What was cut off could be what has to be refused.
    if (output.truncated) throw new ToolError('REPO_UNTRUSTED', 'the configuration of the repository is too large to be checked');
    return output.stdout;
  }
}

/** A repository that appears nearer to where it was looked for would be found instead. */
function watchedDirectories({ directory, ceiling }: Search, { top, gitDir, commonDir }: Ground): readonly string[] {
  const between = upToRoot(directory, ceiling).filter((each) => each.length >= top.length);
  return [...between.map((each) => path.join(each, '.git')), gitDir, commonDir];
}

/** Files that say where things are, or what git does with them. */
function watchedFiles({ gitDir, commonDir }: Ground): readonly string[] {
  return [
    path.join(gitDir, 'commondir'),
    path.join(gitDir, 'config.worktree'),
    path.join(commonDir, 'config'),
    // A process that reads objects for long learns of these once.
    path.join(commonDir, 'shallow'),
    path.join(commonDir, 'objects/info/alternates'),
    ...userFiles(),
  ];
}

function neverEnding({ given }: Search): ToolError {
  return new ToolError(
    'REPO_UNTRUSTED',
    `the repository ${quoted(given)} cannot be read to its end: one of its files is a pipe or a device`,
  );
}

function keep<Value>(kept: Map<string, Value>, key: string, value: Value): void {
  if (kept.size >= MAX_KNOWN) kept.clear();
  kept.set(key, value);
}

/**
 * The top of a work tree as clients see it.
 *
 * @throws ToolError PATH_OUTSIDE_ROOTS, in words that do not tell what is there
 */
export async function shownTop(top: string, given: string, roots: Roots): Promise<string> {
  const verified = await roots.existing(top).catch(() => undefined);
  if (verified === undefined) throw partsOutside(given);
  return verified.shown;
}

/** @throws ToolError PATH_OUTSIDE_ROOTS, as {@link shownTop} */
export async function requireInside({ places }: Examined, given: string, roots: Roots): Promise<void> {
  const inside = await Promise.all(places.map((place) => isInside(place, roots)));
  if (!inside.every(Boolean)) throw partsOutside(given);
}

function partsOutside(given: string): ToolError {
  return new ToolError(
    'PATH_OUTSIDE_ROOTS',
    `the repository ${quoted(given)} has parts that are not inside the allowed directories`,
    { hint: 'its work tree, git directory, objects and alternates all have to be; of a linked work tree, the main one too' },
  );
}

/** @throws ToolError REPO_UNTRUSTED */
export async function requireTrust({ executing, filesRead, isUsersFile }: Examined, given: string, roots: Roots): Promise<void> {
  const inside = await Promise.all(filesRead.map((file) => isInside(file, roots)));
  const keys = [...executing.map(redacted), ...(inside.every(Boolean) ? [] : ['a file outside'])];
  if (keys.length === 0) return;
  throw new ToolError('REPO_UNTRUSTED', `the configuration of ${quoted(given)} may run programs: ${shownKeys(keys)}`, {
    hint: `${isUsersFile ? 'move settings of your own to a file outside the allowed directories; ' : ''}if you trust it, start the server with --trust listed and the repository as an argument, or with --trust all`,
    data: { keys: keys.slice(0, MAX_KEYS) },
  });
}

function shownKeys(keys: readonly string[]): string {
  const more = keys.length > MAX_KEYS ? ` and ${keys.length - MAX_KEYS} more` : '';
  return `${keys.slice(0, MAX_KEYS).map(visibleName).join(', ')}${more}`;
}

/** Files whose change can change the configuration. */
function filesOf(entries: readonly ConfigEntry[], { top, gitDir, commonDir }: Ground): readonly string[] {
  const read = entries.flatMap(({ file }) => file ?? []).map((file) => path.resolve(top, file));
  const included = entries.flatMap((entry) => fileIncluded(entry, top) ?? []);
  const dependsOnBranch = entries.some(({ key }) => key.startsWith('includeif.onbranch:'));
  const heads = [path.join(gitDir, 'HEAD'), path.join(gitDir, TABLES), path.join(commonDir, TABLES)];
  return [...read, ...included, ...(dependsOnBranch ? heads : [])];
}

/** Settings in a file that clients may be able to write are judged like those of the repository. */
function judge(
  entries: readonly ConfigEntry[],
  { top }: Ground,
  isWritable: (file: Buffer) => boolean,
): Pick<Examined, 'executing' | 'filesRead' | 'isUsersFile'> {
  const own = entries.filter((entry) => isRepositorys(entry) || (isUsers(entry) && isWritable(Buffer.from(entry.file ?? ''))));
  const executing = own.filter(executes);
  return {
    executing: [...new Set(executing.map(({ key }) => key))],
    isUsersFile: executing.some(isUsers),
    filesRead: own.flatMap((entry) => fileRead(entry, top) ?? []),
  };
}

async function isInside(place: string, roots: Roots): Promise<boolean> {
  return roots.existing(place).then(
    () => true,
    (error: unknown) => ToolError.is(error) && error.code === 'NOT_FOUND',
  );
}
