import { existsSync } from 'node:fs';
import path from 'node:path';

import type { Repository } from './repository.ts';
import { isOid } from './revision.ts';
import { readLineBelow } from './state-file.ts';

export const OPERATIONS = ['merge', 'rebase', 'cherry-pick', 'revert', 'am', 'bisect'] as const;

export type OperationKind = (typeof OPERATIONS)[number];

/** What was begun in a work tree and has not ended. */
export interface Operation {
  readonly kind: OperationKind;
  /** The commit that is being joined or applied; of a sequence that stopped between two of them absent. */
  readonly commit?: string;
  /** Of a rebase, the commit it puts others on. */
  readonly onto?: string;
  /** Of a rebase, the branch it will move, by its short name; absent on a detached HEAD. */
  readonly branch?: string;
  /** Of a rebase, where the branch was before. */
  readonly before?: string;
  /** Of a rebase and of `am`, which step of how many it is at. */
  readonly done?: number;
  readonly total?: number;
  /** A rebase that goes by a list of steps; the other kind applies patches. */
  readonly steps?: boolean;
}

type Look = (gitDir: string) => Promise<Operation | undefined>;

/** A rebase picks commits and merges itself, so it is looked for first. */
const LOOKS: readonly Look[] = [
  rebaseBySteps,
  rebaseByPatches,
  (gitDir) => headOf(gitDir, 'MERGE_HEAD', 'merge'),
  (gitDir) => headOf(gitDir, 'CHERRY_PICK_HEAD', 'cherry-pick'),
  (gitDir) => headOf(gitDir, 'REVERT_HEAD', 'revert'),
  sequence,
  bisect,
];

/** The operation in progress in the work tree, if there is one, without a process. */
export async function operationIn({ ground }: Pick<Repository, 'ground'>): Promise<Operation | undefined> {
  const found = await Promise.all(LOOKS.map((look) => look(ground.gitDir)));
  return found.find((operation) => operation !== undefined);
}

async function rebaseBySteps(gitDir: string): Promise<Operation | undefined> {
  if (!exists(gitDir, 'rebase-merge')) return undefined;
  const facts = await rebaseFacts(path.join(gitDir, 'rebase-merge'), ['msgnum', 'end']);
  const commit = await readLineBelow(gitDir, 'REBASE_HEAD');
  return { kind: 'rebase', steps: true, ...facts, ...(isOid(commit) && { commit }) };
}

async function rebaseByPatches(gitDir: string): Promise<Operation | undefined> {
  if (!exists(gitDir, 'rebase-apply')) return undefined;
  const kind = exists(gitDir, 'rebase-apply/applying') ? 'am' : 'rebase';
  return { kind, steps: false, ...(await rebaseFacts(path.join(gitDir, 'rebase-apply'), ['next', 'last'])) };
}

async function rebaseFacts(directory: string, counters: readonly [string, string]): Promise<Omit<Operation, 'kind'>> {
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

async function headOf(gitDir: string, name: string, kind: OperationKind): Promise<Operation | undefined> {
  if (!exists(gitDir, name)) return undefined;
  const commit = await readLineBelow(gitDir, name);
  return { kind, ...(isOid(commit) && { commit }) };
}

/** Several picks of which one was committed by hand: what is left to do is all that remains. */
async function sequence(gitDir: string): Promise<Operation | undefined> {
  if (!exists(gitDir, 'sequencer/todo')) return undefined;
  return { kind: (await readLineBelow(gitDir, 'sequencer/todo')).startsWith('revert') ? 'revert' : 'cherry-pick' };
}

async function bisect(gitDir: string): Promise<Operation | undefined> {
  return exists(gitDir, 'BISECT_LOG') ? { kind: 'bisect' } : undefined;
}

function isCount(text: string): boolean {
  return /^\d{1,9}$/.test(text);
}

// By the thread pool, each of these would cost ten times what it takes.
function exists(directory: string, name: string): boolean {
  return existsSync(path.join(directory, name));
}
