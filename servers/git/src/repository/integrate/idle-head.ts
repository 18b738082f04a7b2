import { ToolError } from '@org/mcp-decorators';

import { readHead, type Head } from '../refs/head.ts';
import { requireCommits } from '../refs/revision.ts';
import type { Repository } from '../repository.ts';
import { requireWorkTree } from '../work-tree/paths.ts';
import { conflictError, listUnmerged, STEPS_RESOLVED } from './conflicts.ts';
import { readOperation } from './operation.ts';

/** A HEAD that resolves to a commit. */
export type CommitHead = Head & { readonly oid: string };

/**
 * Returns the HEAD of a work tree in which a new operation can start.
 *
 * @throws ToolError NO_WORK_TREE, EMPTY_REPO, CONFLICT if an operation other than a bisect is in progress or files are in
 * conflict
 */
export async function requireIdleHead(repository: Repository): Promise<CommitHead> {
  requireWorkTree(repository);
  await requireIdle(repository);
  return requireHead(repository);
}

/** @throws ToolError EMPTY_REPO */
export async function requireHead(repository: Repository): Promise<CommitHead> {
  const { oid, branch } = await readHead(repository);
  if (oid !== undefined) return { oid, branch };
  await requireCommits(repository);
  return requireHead(repository);
}

async function requireIdle(repository: Repository): Promise<void> {
  const [operation, files] = await Promise.all([readOperation(repository), listUnmerged(repository)]);
  if (files.length > 0) throw conflictError(files, operation);
  if (operation === undefined || operation.kind === 'bisect') return;
  throw new ToolError('CONFLICT', `a ${operation.kind} is in progress`, {
    hint: STEPS_RESOLVED.join('; '),
    data: { operation: operation.kind, files: [], next_steps: STEPS_RESOLVED },
  });
}
