import { existsSync } from 'node:fs';
import path from 'node:path';

import { escapeInvisible } from '@org/mcp-decorators';

import { shortOid } from '../../text/format.ts';
import { readLineBelow } from '../guard/state-file.ts';
import { isOid } from '../refs/revision.ts';
import type { Repository } from '../repository.ts';

const OPERATIONS = ['merge', 'rebase', 'cherry-pick', 'revert', 'am', 'bisect'] as const;

export type OperationKind = (typeof OPERATIONS)[number];

/** An operation in progress in a work tree. */
export interface Operation {
  readonly kind: OperationKind;
  /** The commit that is being merged, applied or reverted; absent between two steps of a sequence, and for `am` and `bisect`. */
  readonly commit?: string;
  /** Rebase only: the commit onto which the commits of the branch are rebased. */
  readonly onto?: string;
  /** Rebase only: short name of the branch that will be moved; absent on a detached HEAD. */
  readonly branch?: string;
  /** Rebase only: the commit of the branch before the rebase. */
  readonly before?: string;
  /** Rebase and `am` only: number of the current step. */
  readonly done?: number;
  /** Rebase and `am` only: number of all steps. */
  readonly total?: number;
  /** Rebase only: whether the rebase uses a list of steps; otherwise, it applies patches. */
  readonly steps?: boolean;
}

/** Describes an operation: `rebase of topic onto 1a2b3c4d5e6f, step 2 of 5, at commit 7a8b9c0d1e2f`. */
export function formatOperation({ kind, branch, onto, done, total, commit }: Operation): string {
  return [
    `${kind}${branch === undefined ? '' : ` of ${escapeInvisible(branch)}`}${onto === undefined ? '' : ` onto ${shortOid(onto)}`}`,
    ...(done === undefined || total === undefined ? [] : [`step ${done} of ${total}`]),
    ...(commit === undefined ? [] : [`at commit ${shortOid(commit)}`]),
  ].join(', ');
}

type OperationReader = (gitDir: string) => Promise<Operation | undefined>;

/** Readers in order of precedence. A rebase is detected first, because its steps also create CHERRY_PICK_HEAD or MERGE_HEAD. */
const READERS: readonly OperationReader[] = [
  readRebaseBySteps,
  readRebaseByPatches,
  (gitDir) => readHeadFile(gitDir, 'MERGE_HEAD', 'merge'),
  (gitDir) => readHeadFile(gitDir, 'CHERRY_PICK_HEAD', 'cherry-pick'),
  (gitDir) => readHeadFile(gitDir, 'REVERT_HEAD', 'revert'),
  readSequence,
  readBisect,
];

/** Reads the operation in progress in the work tree without starting a process. Returns `undefined` if no operation is in progress. */
export async function readOperation({ layout }: Pick<Repository, 'layout'>): Promise<Operation | undefined> {
  const found = await Promise.all(READERS.map((look) => look(layout.gitDir)));
  return found.find((operation) => operation !== undefined);
}

async function readRebaseBySteps(gitDir: string): Promise<Operation | undefined> {
  if (!exists(gitDir, 'rebase-merge')) return undefined;
  const facts = await readRebaseFacts(path.join(gitDir, 'rebase-merge'), ['msgnum', 'end']);
  const commit = await readLineBelow(gitDir, 'REBASE_HEAD');
  return { kind: 'rebase', steps: true, ...facts, ...(isOid(commit) && { commit }) };
}

async function readRebaseByPatches(gitDir: string): Promise<Operation | undefined> {
  if (!exists(gitDir, 'rebase-apply')) return undefined;
  const kind = exists(gitDir, 'rebase-apply/applying') ? 'am' : 'rebase';
  return { kind, steps: false, ...(await readRebaseFacts(path.join(gitDir, 'rebase-apply'), ['next', 'last'])) };
}

async function readRebaseFacts(directory: string, counters: readonly [string, string]): Promise<Omit<Operation, 'kind'>> {
  const names = ['head-name', 'onto', 'orig-head', ...counters];
  const [head = '', onto = '', before = '', ...counts] = await Promise.all(names.map((name) => readLineBelow(directory, name)));
  const [done, total] = counts.map((count) => (isCount(count) ? Number(count) : undefined));
  return {
    ...(head.startsWith('refs/heads/') && { branch: head.slice('refs/heads/'.length) }),
    ...(isOid(onto) && { onto }),
    ...(isOid(before) && { before }),
    ...(done !== undefined && { done }),
    ...(total !== undefined && { total }),
  };
}

async function readHeadFile(gitDir: string, name: string, kind: OperationKind): Promise<Operation | undefined> {
  if (!exists(gitDir, name)) return undefined;
  const commit = await readLineBelow(gitDir, name);
  return { kind, ...(isOid(commit) && { commit }) };
}

/** Detects a cherry-pick or revert whose current commit was committed by hand, so that only the list of remaining steps is left. */
async function readSequence(gitDir: string): Promise<Operation | undefined> {
  if (!exists(gitDir, 'sequencer/todo')) return undefined;
  return { kind: (await readLineBelow(gitDir, 'sequencer/todo')).startsWith('revert') ? 'revert' : 'cherry-pick' };
}

async function readBisect(gitDir: string): Promise<Operation | undefined> {
  return exists(gitDir, 'BISECT_LOG') ? { kind: 'bisect' } : undefined;
}

function isCount(text: string): boolean {
  return /^\d{1,9}$/.test(text);
}

// `existsSync` is synchronous, because an asynchronous check would take ten times as long through the thread pool.
function exists(directory: string, name: string): boolean {
  return existsSync(path.join(directory, name));
}
