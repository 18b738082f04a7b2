import { Flag, Integer, ListOf, OneOf, Text, ToolError, type RequestContext } from '@org/mcp-decorators';
import { firstThatFit } from '@org/mcp-host';

import { isAncestor } from '../repository/ancestry.ts';
import { requireBranchName } from '../repository/branch-name.ts';
import { currentBranch } from '../repository/head.ts';
import { parseReferences, REFERENCE_FORMAT } from '../repository/parse/references.ts';
import { progressFlag, runRemote, runsIn } from '../repository/remote-run.ts';
import { readRemoteSettings, requireRemote, usualRemote, type ConfiguredRemote } from '../repository/remote-settings.ts';
import { urlOf } from '../repository/remote-urls.ts';
import type { Repository } from '../repository/repository.ts';
import { withoutUnfinishedPacks } from '../repository/unfinished-packs.ts';
import { RemoteInput } from './remote-input.ts';

const OUTCOMES = ['new', 'updated', 'forced', 'deleted'] as const;

export class GitFetchInput extends RemoteInput {
  @Text('Only this branch of the remote', { optional: true }) branch?: string;
  @Flag('All tags, not only those of the commits that come') tags = false;
  @Flag('Forget remote-tracking branches that the remote has no more') prune = false;
  @Integer('Only so many commits of each branch', { optional: true, min: 1, max: 1_000_000 }) depth?: number;
}

/** A reference that stands elsewhere now. */
export class UpdatedRef {
  @Text('Full name') ref!: string;
  @OneOf(OUTCOMES, 'forced: what it had before is not part of what it has now') outcome!: (typeof OUTCOMES)[number];
  @Text({ optional: true }) before?: string;
  @Text({ optional: true }) after?: string;
}

export class FetchedRefs {
  @Text() remote!: string;
  @Text() url!: string;
  @ListOf(() => UpdatedRef) updated!: UpdatedRef[];
  @Flag('More were updated') truncated!: boolean;
}

/** So many updates are looked at for being forced. */
const MAX_COMPARED = 50;

/**
 * Brings what a remote has into the remote-tracking branches; no branch and no file of the user's changes.
 *
 * Reports progress in hundredths.
 *
 * @throws ToolError REMOTE_NOT_FOUND, INVALID_REF_NAME, INVALID_REVISION, INVALID_URL, HOST_NOT_ALLOWED, REPO_UNTRUSTED,
 * AUTH_REQUIRED, NETWORK, TIMEOUT, UNSAFE_OBJECTS, CONFLICT, LOCKED
 */
export async function gitFetch(repository: Repository, input: GitFetchInput, context: RequestContext): Promise<FetchedRefs> {
  if (input.branch !== undefined) await requireBranchName(repository, input.branch);
  const settings = await readRemoteSettings(repository);
  const remote = requireRemote(settings, input.remote ?? usualRemote(settings, await currentBranch(repository)));
  const command = commandOf(input, remote, progressFlag(context));
  const { shown: url } = await urlOf(repository, remote, 'fetch');
  const before = await referencesOf(repository, remote);
  const { credentials } = settings;
  await withoutUnfinishedPacks(repository, () => runRemote(runsIn(repository), { command, credentials }, context));
  const changes = changesBetween(before, await referencesOf(repository, remote));
  const { maxEntries, maxBytes } = repository.limits;
  const updated = firstThatFit(await marked(repository, changes.slice(0, maxEntries)), maxBytes);
  return { remote: remote.name, url, updated, truncated: changes.length > updated.length };
}

function commandOf({ branch, tags, prune, depth }: GitFetchInput, remote: ConfiguredRemote, progress: string): readonly string[] {
  const tracking = `refs/remotes/${remote.name}`;
  return [
    'fetch',
    progress,
    '--no-recurse-submodules',
    '--no-auto-maintenance',
    // It would say where everything is from, for nobody here.
    '--no-write-fetch-head',
    // What is fetched is what stands here; the configuration may lead it into the user's own branches.
    '--refmap=',
    prune ? '--prune' : '--no-prune',
    ...(tags ? ['--tags'] : []),
    ...(depth === undefined ? [] : [`--depth=${depth}`]),
    '--',
    remote.name,
    ...(branch === undefined ? trackingOf(remote) : [`+refs/heads/${branch}:${tracking}/${branch}`]),
  ];
}

/** What the remote is configured to bring, as far as it stays away from the user's own branches. */
function trackingOf({ name, fetch }: ConfiguredRemote): readonly string[] {
  if (fetch.length === 0) return [`+refs/heads/*:refs/remotes/${name}/*`];
  const safe = fetch.every((refspec) => /^(?:\+?refs\/[^:]+:refs\/remotes\/[^:]+|\^refs\/[^:]+)$/.test(refspec));
  if (safe) return fetch;
  throw new ToolError('CONFLICT', `the remote ${name} is configured to write over other references than refs/remotes/`, {
    hint: 'name a branch: that one is fetched into a remote-tracking branch',
  });
}

async function referencesOf(repository: Repository, { name }: ConfiguredRemote): Promise<ReadonlyMap<string, string>> {
  const command = ['for-each-ref', `--format=${REFERENCE_FORMAT}`, `refs/remotes/${name}/`, 'refs/tags/'];
  return parseReferences((await repository.read(command)).stdout);
}

function changesBetween(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): readonly UpdatedRef[] {
  const present = [...after].flatMap(([ref, oid]): readonly UpdatedRef[] => {
    const old = before.get(ref);
    if (old === oid) return [];
    return [old === undefined ? { ref, outcome: 'new', after: oid } : { ref, outcome: 'updated', before: old, after: oid }];
  });
  const gone = [...before].filter(([ref]) => !after.has(ref));
  return [...present, ...gone.map(([ref, oid]): UpdatedRef => ({ ref, outcome: 'deleted', before: oid }))];
}

async function marked(repository: Repository, changes: readonly UpdatedRef[]): Promise<UpdatedRef[]> {
  return Promise.all(
    changes.map(async (change, position) => {
      const { ref, outcome, before, after } = change;
      if (outcome !== 'updated' || before === undefined || after === undefined || position >= MAX_COMPARED) return change;
      return (await isAncestor(repository, before, after)) ? change : { ref, outcome: 'forced', before, after };
    }),
  );
}
