import { escapeInvisible } from '@org/mcp-decorators';

import { shortOid } from '../../text/format.ts';
import { formatOperation, readOperation } from '../integrate/operation.ts';
import { readHead } from '../refs/head.ts';
import { readWorktrees } from '../refs/worktrees.ts';
import type { Repository } from '../repository.ts';
import { listMoved, readBranches, type RecordedState } from './recorded-state.ts';

/** The changes of references that a return to a recorded state would make, and the problem that prevents the return. */
export interface PlannedReturn {
  /** One text per change, such as `main moves from 1a2b3c4d5e6f to 7a8b9c0d1e2f`. */
  readonly changes: readonly string[];
  /** Why the state cannot be restored; completes a sentence that begins with the repository. */
  readonly problem: string | undefined;
}

export async function describeReturn(repository: Repository, state: RecordedState): Promise<PlannedReturn> {
  const [{ branch, oid }, branches, operation] = await Promise.all([
    readHead(repository),
    readBranches(repository),
    readOperation(repository),
  ]);
  const moved = listMoved(state.branches, branches);
  const changes = moved.map(([name, recorded]) => describeMove(escapeInvisible(name), branches.get(name), recorded));
  const isSwitched = branch !== state.branch || (branch === undefined && oid !== state.head);
  if (isSwitched) changes.push(`HEAD moves from ${formatHead(branch, oid)} to ${formatHead(state.branch, state.head)}`);
  if (operation !== undefined)
    return { changes, problem: `has an operation in progress: ${formatOperation(operation)}; git_abort ends it` };
  const elsewhere = await listBranchesElsewhere(repository);
  const taken = [...moved.map(([name]) => name), state.branch ?? ''].find((name) => elsewhere.has(name));
  return {
    changes,
    problem: taken === undefined ? undefined : `has the branch ${escapeInvisible(taken)} checked out in another work tree`,
  };
}

function describeMove(name: string, from: string | undefined, to: string): string {
  return from === undefined ? `${name} is created at ${shortOid(to)}` : `${name} moves from ${shortOid(from)} to ${shortOid(to)}`;
}

function formatHead(branch: string | undefined, oid: string | undefined): string {
  return branch === undefined ? shortOid(oid ?? '') : escapeInvisible(branch);
}

/** Returns the branches that other work trees of the repository have checked out. */
async function listBranchesElsewhere(repository: Repository): Promise<ReadonlySet<string>> {
  const worktrees = await readWorktrees(repository);
  const others = worktrees.filter(({ path }) => path !== repository.layout.top);
  return new Set(others.flatMap(({ branch }) => branch ?? []));
}
