import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';

import { Flag, Integer, ListOf, OneOf, Result, Text, ToolError, escapeInvisible, type RequestContext } from '@org/mcp-decorators';
import { takeFittingItems } from '@org/mcp-host';

import { parseReferences, REFERENCE_FORMAT } from '../../repository/parse/references.ts';
import { requireBranchName } from '../../repository/refs/branch-name.ts';
import { readCurrentBranch } from '../../repository/refs/head.ts';
import { isAncestor } from '../../repository/refs/revision.ts';
import { buildProgressFlag, createRemoteRunner, runRemote } from '../../repository/remotes/remote-run.ts';
import {
  chooseRemote,
  readRemoteSettings,
  requireRemote,
  type ConfiguredRemote,
} from '../../repository/remotes/remote-settings.ts';
import { resolveRemoteUrl } from '../../repository/remotes/resolve-url.ts';
import type { Repository } from '../../repository/repository.ts';
import { shortOid } from '../../text/format.ts';
import { RepoPath } from '../inputs/repository-input.ts';

const OUTCOMES = ['new', 'updated', 'forced', 'deleted'] as const;

/** Input of a tool that connects to a remote. */
export class RemoteInput {
  @RepoPath() repo_path?: string;
  @Text('Name of the remote; default: the upstream, the only remote, or origin', { optional: true }) remote?: string;
}

export class GitFetchInput extends RemoteInput {
  @Text('Fetch only this branch of the remote', { optional: true }) branch?: string;
  @Flag('Fetch all tags, not only tags of fetched commits') tags = false;
  @Flag('Delete remote-tracking branches that no longer exist at the remote') prune = false;
  @Integer('Depth of the history to fetch, in commits from each tip', { optional: true, min: 1, max: 1_000_000 }) depth?: number;
}

/** A reference that changed. */
export class UpdatedRef {
  @Text('Full name') ref!: string;
  @OneOf(OUTCOMES, 'forced: the old commit is not an ancestor of the new commit') outcome!: (typeof OUTCOMES)[number];
  @Text({ optional: true }) before?: string;
  @Text({ optional: true }) after?: string;
}

export class FetchedRefs {
  @Text() remote!: string;
  @Text() url!: string;
  @ListOf(() => UpdatedRef) updated!: UpdatedRef[];
  @Flag('More references were updated') truncated!: boolean;
}

/** Number of updates that are checked for being forced. Any further update is reported as `updated`. */
const MAX_COMPARED = 50;

/**
 * Downloads commits from a remote and updates the remote-tracking branches and tags. Local branches and files do not change.
 *
 * Reports progress in percent.
 *
 * @throws ToolError REMOTE_NOT_FOUND, INVALID_REF_NAME, INVALID_REVISION, INVALID_URL, HOST_NOT_ALLOWED, REPO_UNTRUSTED,
 * AUTH_REQUIRED, NETWORK, TIMEOUT, UNSAFE_OBJECTS, CONFLICT, LOCKED
 */
export async function gitFetch(repository: Repository, input: GitFetchInput, context: RequestContext): Promise<Result> {
  return formatFetch(await fetchRemote(repository, input, context));
}

export async function fetchRemote(repository: Repository, input: GitFetchInput, context: RequestContext): Promise<FetchedRefs> {
  if (input.branch !== undefined) await requireBranchName(repository, input.branch);
  const settings = await readRemoteSettings(repository);
  const remote = requireRemote(settings, input.remote ?? chooseRemote(settings, await readCurrentBranch(repository)));
  const command = buildCommand(input, remote, buildProgressFlag(context));
  const { shown: url, peer } = await resolveRemoteUrl(repository, remote, 'fetch');
  const before = await readReferences(repository, remote);
  const { credentials } = settings;
  await withPackCleanup(repository, () => runRemote(createRemoteRunner(repository), { command, credentials, peer }, context));
  const changes = compareReferences(before, await readReferences(repository, remote));
  const { maxEntries, maxBytes } = repository.limits;
  const updated = takeFittingItems(await markForced(repository, changes.slice(0, maxEntries)), maxBytes);
  return { remote: remote.name, url, updated, truncated: changes.length > updated.length };
}

function buildCommand(
  { branch, tags, prune, depth }: GitFetchInput,
  remote: ConfiguredRemote,
  progress: string,
): readonly string[] {
  const tracking = `refs/remotes/${remote.name}`;
  return [
    'fetch',
    progress,
    '--no-recurse-submodules',
    '--no-auto-maintenance',
    // FETCH_HEAD is not written, because no tool reads this file.
    '--no-write-fetch-head',
    // Clears the configured mapping, which might overwrite local branches. Only the refspecs below are used.
    '--refmap=',
    prune ? '--prune' : '--no-prune',
    ...(tags ? ['--tags'] : []),
    ...(depth === undefined ? [] : [`--depth=${depth}`]),
    '--',
    remote.name,
    ...(branch === undefined ? chooseRefspecs(remote) : [`+refs/heads/${branch}:${tracking}/${branch}`]),
  ];
}

/**
 * Returns the configured refspecs of the remote, or by default a refspec for all branches.
 *
 * @throws ToolError CONFLICT if a refspec writes outside refs/remotes/
 */
function chooseRefspecs({ name, fetch }: ConfiguredRemote): readonly string[] {
  if (fetch.length === 0) return [`+refs/heads/*:refs/remotes/${name}/*`];
  const safe = fetch.every((refspec) => /^(?:\+?refs\/[^:]+:refs\/remotes\/[^:]+|\^refs\/[^:]+)$/.test(refspec));
  if (safe) return fetch;
  throw new ToolError('CONFLICT', `the remote ${name} is configured to overwrite references outside refs/remotes/`, {
    hint: 'set branch, to fetch this branch into a remote-tracking branch',
  });
}

async function readReferences(repository: Repository, { name }: ConfiguredRemote): Promise<ReadonlyMap<string, string>> {
  const command = ['for-each-ref', `--format=${REFERENCE_FORMAT}`, `refs/remotes/${name}/`, 'refs/tags/'];
  return parseReferences((await repository.read(command)).stdout);
}

function compareReferences(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): readonly UpdatedRef[] {
  const present = [...after].flatMap(([ref, oid]): readonly UpdatedRef[] => {
    const old = before.get(ref);
    if (old === oid) return [];
    return [old === undefined ? { ref, outcome: 'new', after: oid } : { ref, outcome: 'updated', before: old, after: oid }];
  });
  const gone = [...before].filter(([ref]) => !after.has(ref));
  return [...present, ...gone.map(([ref, oid]): UpdatedRef => ({ ref, outcome: 'deleted', before: oid }))];
}

async function markForced(repository: Repository, changes: readonly UpdatedRef[]): Promise<UpdatedRef[]> {
  return Promise.all(
    changes.map(async (change, position) => {
      const { ref, outcome, before, after } = change;
      if (outcome !== 'updated' || before === undefined || after === undefined || position >= MAX_COMPARED) return change;
      return (await isAncestor(repository, before, after)) ? change : { ref, outcome: 'forced', before, after };
    }),
  );
}

function formatFetch(fetched: FetchedRefs): Result {
  const from = `${escapeInvisible(fetched.remote)} (${escapeInvisible(fetched.url)})`;
  const lines = [...fetched.updated.map(formatRef), ...(fetched.truncated ? ['… more references were updated'] : [])];
  const text = lines.length === 0 ? `No new commits from ${from}` : [`Fetched from ${from}`, ...lines].join('\n');
  return Result.of(fetched, text);
}

/** A branch or tag, and its object names before and after. */
interface MovedRef {
  readonly ref: string;
  readonly outcome: string;
  readonly before?: string;
  readonly after?: string;
}

/** Returns one line such as `updated refs/remotes/origin/main 1a2b3c4d5e6f → 7a8b9c0d1e2f`. */
export function formatRef({ ref, outcome, before, after }: MovedRef): string {
  const range = [before, after].filter((oid) => oid !== undefined).map(shortOid);
  return `${outcome.replaceAll('_', ' ')} ${escapeInvisible(ref)} ${range.join(' → ')}`.trimEnd();
}

/** Runs work that receives objects. If the work fails or is cancelled, removes the temporary packs that git left behind. */
async function withPackCleanup<Outcome>({ layout }: Repository, work: () => Promise<Outcome>): Promise<Outcome> {
  const packs = path.join(layout.commonDir, 'objects/pack');
  const before = await listUnfinishedPacks(packs);
  try {
    return await work();
  } catch (error) {
    const left = (await listUnfinishedPacks(packs)).filter((name) => !before.includes(name));
    await Promise.all(left.map((name) => rm(path.join(packs, name), { force: true })));
    throw error;
  }
}

async function listUnfinishedPacks(packs: string): Promise<readonly string[]> {
  const names = await readdir(packs).catch(() => []);
  return names.filter((name) => name.startsWith('tmp_'));
}
