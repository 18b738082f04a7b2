import path from 'node:path';

import { Flag, ListOf, OneOf, Result, Text, TextList, ToolError, type RequestContext } from '@org/mcp-decorators';
import { takeFittingItems } from '@org/mcp-host';

import { decodeOutput, splitTextFields } from '../../repository/parse/fields.ts';
import { formatPath } from '../../repository/parse/path-bytes.ts';
import { readHead } from '../../repository/refs/head.ts';
import { cloneRepository, type CloneCall } from '../../repository/remotes/clone.ts';
import { buildProgressFlag, createRemoteRunner, runRemote } from '../../repository/remotes/remote-run.ts';
import { readRemoteSettings, requireRemote } from '../../repository/remotes/remote-settings.ts';
import { requireNoSecret } from '../../repository/remotes/remote-url.ts';
import { permitUrl, resolveRemoteUrl } from '../../repository/remotes/resolve-url.ts';
import { resolveSubmoduleUrl } from '../../repository/remotes/submodule-url.ts';
import type { Repositories } from '../../repository/repositories.ts';
import type { Repository } from '../../repository/repository.ts';
import { isInPlace, requireWorkTree, resolvePaths } from '../../repository/work-tree/paths.ts';
import { readRecordedSubmodules, type RecordedSubmodule } from '../../repository/work-tree/recorded-submodules.ts';
import { hasRepository } from '../../repository/work-tree/submodules.ts';
import { switchHead } from '../../repository/work-tree/switch-head.ts';
import { formatCount, shortOid } from '../../text/format.ts';
import { RepositoryInput } from '../inputs/repository-input.ts';
import { fetchRemote, GitFetchInput } from '../remotes/git-fetch.ts';

export class GitSubmoduleUpdateInput extends RepositoryInput {
  @TextList('Paths of submodules; default: all', { optional: true }) paths?: string[];
}

const OUTCOMES = ['cloned', 'updated', 'unchanged', 'failed'] as const;

export class UpdatedSubmodule {
  @Text() path!: string;
  @Text('Recorded commit, which is now checked out unless the update failed') oid!: string;
  @OneOf(OUTCOMES) outcome!: (typeof OUTCOMES)[number];
  @Text('Commit that was checked out before', { optional: true }) before?: string;
  @Text('Reason of the failure', { optional: true }) error?: string;
}

export class SubmoduleUpdate {
  @ListOf(() => UpdatedSubmodule) submodules!: UpdatedSubmodule[];
  @Flag('More submodules were updated or failed than the result contains') truncated!: boolean;
}

/** A call that updates submodules. */
interface UpdateCall extends CloneCall {
  readonly repositories: Repositories;
}

/**
 * Checks out the recorded commits of submodules with a detached HEAD. Clones a submodule that is not initialized, and fetches a missing
 * commit. Submodules of submodules are not updated, and the `update` settings of the repository are ignored.
 *
 * The submodules are updated one after the other. The failure of one submodule does not stop the other updates. A cancelled call
 * does not undo finished updates.
 *
 * @throws ToolError PATH_NOT_FOUND for a path that is not a submodule, NO_WORK_TREE, TOO_LARGE; the error of the first submodule if all
 * submodules fail, such as CONFLICT if local changes would be overwritten
 */
export async function gitSubmoduleUpdate(
  repository: Repository,
  input: GitSubmoduleUpdateInput,
  call: UpdateCall,
): Promise<Result> {
  requireWorkTree(repository);
  const chosen = chooseSubmodules(repository, await readRecordedSubmodules(repository), input);
  const updated: UpdatedSubmodule[] = [];
  const errors: ToolError[] = [];
  for (const submodule of chosen) {
    const { path: place, oid } = submodule;
    try {
      updated.push({ path: place, oid, ...(await updateSubmodule(repository, submodule, call)) });
    } catch (error) {
      repository.signal.throwIfAborted();
      if (!ToolError.is(error)) throw error;
      errors.push(error);
      updated.push({ path: place, oid, outcome: 'failed', error: `${error.code}: ${error.message}` });
    }
  }
  const [first] = errors;
  if (first !== undefined && errors.length === chosen.length) throw explainFailure(first, chosen);
  return formatUpdate(updated, repository);
}

function chooseSubmodules(
  repository: Repository,
  recorded: readonly RecordedSubmodule[],
  { paths }: GitSubmoduleUpdateInput,
): readonly RecordedSubmodule[] {
  if (paths === undefined) return recorded;
  return [...new Set(resolvePaths(repository, paths))].map((wanted) => {
    const found = recorded.find(({ path: place }) => place === wanted);
    if (found !== undefined) return found;
    throw new ToolError('PATH_NOT_FOUND', `${formatPath(wanted)} is not a submodule`, {
      hint: 'git_submodules lists the submodules',
    });
  });
}

type Outcome = Pick<UpdatedSubmodule, 'outcome' | 'before'>;

async function updateSubmodule(repository: Repository, submodule: RecordedSubmodule, call: UpdateCall): Promise<Outcome> {
  if (!(await hasRepository(repository, submodule.path))) return cloneSubmodule(repository, submodule, call);
  const opened = await openSubmodule(repository, submodule, call);
  const { oid: before } = await readHead(opened);
  if (before === submodule.oid) return { outcome: 'unchanged' };
  await fetchCommit(opened, submodule.oid, call.context);
  await opened.withWriteLock(() => switchHead(opened, ['--detach', submodule.oid]));
  return { outcome: 'updated', ...(before !== undefined && { before }) };
}

/** Opens a submodule like any other repository, so that the guard examines its directories and its configuration. */
async function openSubmodule(
  { layout, shown }: Repository,
  { path: place }: RecordedSubmodule,
  { repositories, scope }: UpdateCall,
): Promise<Repository> {
  const opened = await repositories.open(path.join(shown, place), scope);
  if (opened.layout.top === path.join(layout.top, place)) return opened;
  throw new ToolError('REPO_UNTRUSTED', `${formatPath(place)} is not the top of a repository, or is reached through a link`);
}

async function cloneSubmodule(
  repository: Repository,
  { path: place, oid, name, url }: RecordedSubmodule,
  call: UpdateCall,
): Promise<Outcome> {
  if (name === undefined || url === undefined)
    throw new ToolError('REMOTE_NOT_FOUND', `.gitmodules contains no URL for ${formatPath(place)}`);
  // A link in place of a parent directory would lead the clone to another directory.
  if (!(await isInPlace(repository, path.posix.dirname(place))))
    throw new ToolError('INVALID_PATH', `${formatPath(place)} is reached through a link, or its parent directory does not exist`);
  const configured = await readConfiguredUrl(repository, name);
  const source = configured ?? (await resolveSubmoduleUrl(repository, url));
  requireNoSecret(source);
  await permitUrl(repository, source, 'origin');
  if (configured === undefined) await repository.withWriteLock(() => initialize(repository, name, source));
  const chooseCommit = async (made: Repository): Promise<string> => {
    await fetchCommit(made, oid, call.context);
    return oid;
  };
  await cloneRepository(call.repositories, { url: source, path: path.join(repository.shown, place), chooseCommit }, call);
  return { outcome: 'cloned' };
}

/**
 * Returns the URL in the configuration of the repository, which replaces the URL in `.gitmodules`. Returns `undefined` if the
 * configuration has no URL.
 */
async function readConfiguredUrl(repository: Repository, name: string): Promise<string | undefined> {
  const { stdout } = await repository.read(['config', '-z', '--get', `submodule.${name}.url`], { codes: [0, 1] });
  return splitTextFields(decodeOutput(stdout).text)[0];
}

/** Records the URL of a submodule, as `git submodule init` does, so that git regards the submodule as active. */
async function initialize(repository: Repository, name: string, url: string): Promise<void> {
  await repository.administer(['config', `submodule.${name}.url`, url]);
  await repository.administer(['config', `submodule.${name}.active`, 'true']);
}

/** Fetches all branches if a commit is missing, and then, if no branch contains the commit, the commit itself. */
async function fetchCommit(submodule: Repository, oid: string, context: RequestContext): Promise<void> {
  if (await hasCommit(submodule, oid)) return;
  const { remote: name } = await fetchRemote(submodule, new GitFetchInput(), context);
  if (await hasCommit(submodule, oid)) return;
  const settings = await readRemoteSettings(submodule);
  const { credentials } = settings;
  const { peer } = await resolveRemoteUrl(submodule, requireRemote(settings, name), 'fetch');
  const flags = ['--no-recurse-submodules', '--no-auto-maintenance', '--no-write-fetch-head', '--refmap=', '--no-tags'];
  const command = ['fetch', buildProgressFlag(context), ...flags, '--', name, oid];
  await runRemote(createRemoteRunner(submodule), { command, credentials, peer }, context);
}

async function hasCommit(submodule: Repository, oid: string): Promise<boolean> {
  return (await submodule.objectInfo(`${oid}^{commit}`)) !== undefined;
}

/** Adds to the error of the first submodule its path, and the number of the other submodules, which failed, too. */
function explainFailure(error: ToolError, failed: readonly RecordedSubmodule[]): ToolError {
  const { code, message, hint, data } = error;
  const [first] = failed;
  const others = failed.length === 1 ? '' : ` (and ${formatCount(failed.length - 1, 'more submodule')} failed)`;
  return new ToolError(code, `${formatPath(first?.path ?? '')}: ${message}${others}`, {
    cause: error,
    ...(hint !== undefined && { hint }),
    ...(data && { data }),
  });
}

function formatUpdate(updated: readonly UpdatedSubmodule[], { limits }: Repository): Result {
  // Failures come first, so that a truncated result contains them.
  const sorted = updated.toSorted((one, other) => Number(other.outcome === 'failed') - Number(one.outcome === 'failed'));
  const submodules = takeFittingItems(sorted.slice(0, limits.maxEntries), limits.maxBytes);
  const left = updated.length - submodules.length;
  const lines = [...submodules.map(formatSubmodule), ...(left === 0 ? [] : [`… and ${formatCount(left, 'more submodule')}`])];
  const text = lines.length === 0 ? 'No submodules found' : lines.join('\n');
  return Result.of({ submodules, truncated: left > 0 }, text);
}

function formatSubmodule({ path: place, oid, outcome, before, error }: UpdatedSubmodule): string {
  const range =
    outcome === 'failed'
      ? ''
      : ` ${[before, oid]
          .filter((each) => each !== undefined)
          .map(shortOid)
          .join(' → ')}`;
  return `${outcome} ${formatPath(place)}${range}${error === undefined ? '' : `: ${error}`}`;
}
