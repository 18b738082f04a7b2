import { Integer, OneOf, Result, Text, TextList, ToolError, escapeInvisible } from '@org/mcp-decorators';

import {
  beginBisect,
  endBisect,
  judgeCommit,
  readBisect,
  readBisectLog,
  readBisectStart,
  readSubject,
  recordExpected,
  recordFound,
  type BisectState,
  type Judgement,
} from '../../repository/integrate/bisect.ts';
import { requireIdleHead } from '../../repository/integrate/idle-head.ts';
import { requireNoLocalChanges } from '../../repository/integrate/local-changes.ts';
import { readOperation } from '../../repository/integrate/operation.ts';
import { findBranch } from '../../repository/refs/branch-name.ts';
import { readHead } from '../../repository/refs/head.ts';
import { isOid, resolveCommit } from '../../repository/refs/revision.ts';
import type { Repository } from '../../repository/repository.ts';
import { requireWorkTree } from '../../repository/work-tree/paths.ts';
import { switchHead } from '../../repository/work-tree/switch-head.ts';
import { cutSubject } from '../../text/cut.ts';
import { formatCount, shortOid } from '../../text/format.ts';
import { RepositoryInput } from '../inputs/repository-input.ts';

const ACTIONS = ['start', 'good', 'bad', 'skip', 'status', 'reset'] as const;
const STATES = ['waiting', 'testing', 'found', 'inconclusive', 'ended'] as const;

export class GitBisectInput extends RepositoryInput {
  @OneOf(ACTIONS, 'good, bad, skip: judge a commit; reset: end the bisect and return to the former branch')
  action!: (typeof ACTIONS)[number];
  @Text('For good, bad and skip: the commit; default: the current commit', { optional: true }) revision?: string;
  @Text('For start: a commit with the problem; default: HEAD', { optional: true }) bad?: string;
  @TextList('For start: commits without the problem', { optional: true, minItems: 1, maxItems: 100 }) good?: string[];
}

/** State of a bisect after a call. */
export class BisectProgress {
  @OneOf(STATES) state!: (typeof STATES)[number];
  @Text('Commit to judge, or the first bad commit', { optional: true }) commit?: string;
  @Text({ optional: true }) subject?: string;
  @Integer('Number of commits that may be the first bad commit', { optional: true }) remaining?: number;
  @Integer('Estimated number of judgements', { optional: true }) steps?: number;
  @TextList('Commits that may be the first bad commit, if inconclusive', { optional: true }) suspects?: string[];
  @TextList('Judgements so far, for status', { optional: true }) log?: string[];
  @Text('Current branch after a reset', { optional: true }) branch?: string;
}

/**
 * Finds the commit that introduced a problem: checks out commits, which the caller judges. Never runs a command to judge them.
 *
 * @throws ToolError CONFLICT for local changes or another operation, NO_OPERATION, INVALID_REVISION, INVALID_ARGUMENTS, EMPTY_REPO,
 * NO_WORK_TREE, LOCKED
 */
export async function gitBisect(repository: Repository, input: GitBisectInput): Promise<Result> {
  requireWorkTree(repository);
  const { action } = input;
  if (action === 'status') return formatProgress(await readStatus(repository));
  return formatProgress(
    await repository.withWriteLock(async () => {
      if (action === 'start') return start(repository, input);
      await requireBisect(repository);
      return action === 'reset' ? reset(repository) : judge(repository, action, input);
    }),
  );
}

/** @throws ToolError NO_OPERATION if no operation is in progress, and the errors of {@link requireIdleHead} */
async function requireBisect(repository: Repository): Promise<void> {
  if ((await readOperation(repository))?.kind === 'bisect') return;
  await requireIdleHead(repository);
  throw new ToolError('NO_OPERATION', 'no bisect is in progress', { hint: 'begin with action: start' });
}

async function start(repository: Repository, { good = [], bad = 'HEAD' }: GitBisectInput): Promise<BisectProgress> {
  await requireIdleHead(repository);
  if ((await readOperation(repository)) !== undefined)
    throw new ToolError('CONFLICT', 'a bisect is in progress', { hint: 'end it with action: reset, or see action: status' });
  await requireNoLocalChanges(repository);
  if (good.length === 0)
    throw new ToolError('INVALID_ARGUMENTS', 'name at least one good commit', { hint: 'git_log shows older commits and tags' });
  const broken = await resolveCommit(repository, bad);
  const working: string[] = [];
  for (const revision of good) working.push(await resolveCommit(repository, revision));
  try {
    await beginBisect(repository, broken, working);
    return await advance(repository);
  } catch (error) {
    // Nothing was judged yet, so the caller can start again with other commits.
    await endBisect(repository.withSignal(AbortSignal.timeout(END_MS)));
    throw error;
  }
}

/** Time limit for removing the state of a bisect that did not start. */
const END_MS = 5000;

async function judge(
  repository: Repository,
  judgement: Judgement,
  { revision = 'HEAD' }: GitBisectInput,
): Promise<BisectProgress> {
  await requireNoLocalChanges(repository);
  await judgeCommit(repository, judgement, await resolveCommit(repository, revision));
  return advance(repository);
}

/** Checks out the next commit to judge, or records that the first bad commit was found. */
async function advance(repository: Repository): Promise<BisectProgress> {
  const state = await readBisect(repository);
  if (state.next !== undefined) {
    await switchHead(repository, ['--detach', state.next]);
    await recordExpected(repository, state.next);
  }
  const [found] = state.suspects;
  if (state.state === 'found' && found !== undefined) await recordFound(repository, found);
  return describe(repository, state);
}

async function readStatus(repository: Repository): Promise<BisectProgress> {
  await requireBisect(repository);
  const log = await readBisectLog(repository);
  const shown = log.slice(-repository.limits.maxEntries).map(cutSubject);
  return Object.assign(await describe(repository, await readBisect(repository)), { log: shown });
}

async function describe(repository: Repository, { state, suspects, remaining }: BisectState): Promise<BisectProgress> {
  const { oid } = await readHead(repository);
  const commit = state === 'found' ? suspects[0] : oid;
  const subject = commit === undefined ? '' : await readSubject(repository, commit);
  return {
    state,
    ...(commit !== undefined && { commit, subject }),
    remaining,
    steps: Math.ceil(Math.log2(Math.max(remaining, 1))),
    ...(state === 'inconclusive' && { suspects: suspects.slice(0, repository.limits.maxEntries) }),
  };
}

/** Returns to the branch or commit from which the bisect started. */
async function reset(repository: Repository): Promise<BisectProgress> {
  const former = await readBisectStart(repository);
  if (!former.startsWith('-') && (await findBranch(repository, former)) !== undefined) await switchHead(repository, [former]);
  else if (isOid(former)) await switchHead(repository, ['--detach', await resolveCommit(repository, former)]);
  else
    throw new ToolError('INVALID_REVISION', 'the branch from which the bisect started does not exist any more', {
      hint: 'create the branch again with git_create_branch, then reset',
    });
  await endBisect(repository);
  const { branch, oid } = await readHead(repository);
  return { state: 'ended', ...(oid !== undefined && { commit: oid }), ...(branch !== undefined && { branch }) };
}

const END = 'To end the bisect: git_bisect with action: reset';

function formatProgress(progress: BisectProgress): Result {
  const { state, commit = '', subject = '', remaining = 0, steps = 0, suspects = [], log = [], branch } = progress;
  const named = `${shortOid(commit)} ${escapeInvisible(subject)}`;
  const texts: Readonly<Record<BisectProgress['state'], readonly string[]>> = {
    waiting: ['A good or a bad commit is missing: call with action: good or bad, and the commit as revision', END],
    testing: [
      `Judge ${named}, which is checked out: call with action: good, bad or skip`,
      `${formatCount(remaining, 'commit')} may be the first bad commit; about ${formatCount(steps, 'judgement')} to find it`,
    ],
    found: [`The first bad commit is ${named}`, END],
    inconclusive: [`Only skipped commits are left; the first bad commit is one of ${suspects.map(shortOid).join(', ')}`, END],
    ended: [`The bisect has ended; ${branch === undefined ? 'HEAD' : escapeInvisible(branch)} is at ${shortOid(commit)}`],
  };
  return Result.of(progress, [...texts[state], ...log.map(escapeInvisible)].join('\n'));
}
