import { writeFile } from 'node:fs/promises';
import path from 'node:path';

import { Flag, Text, ToolError, type Result } from '@org/mcp-decorators';

import { listChangedFiles } from '../../repository/content/diff-flags.ts';
import { readFileBelow } from '../../repository/guard/state-file.ts';
import { conflictError, listUnmerged } from '../../repository/integrate/conflicts.ts';
import { requireHead } from '../../repository/integrate/idle-head.ts';
import { buildVerifyFlags, runIntegration } from '../../repository/integrate/integrate.ts';
import { requireNoMarkers } from '../../repository/integrate/left-markers.ts';
import { readOperation, type Operation } from '../../repository/integrate/operation.ts';
import { requireHarmlessSteps } from '../../repository/integrate/planted-steps.ts';
import type { Repository } from '../../repository/repository.ts';
import { requireWorkTree } from '../../repository/work-tree/paths.ts';
import { requireMessage } from '../../text/commit-message.ts';
import { RepositoryInput } from '../inputs/repository-input.ts';
import { formatIntegration, readOutcome, type IntegrationResult } from './integration-result.ts';

export class GitContinueInput extends RepositoryInput {
  @Text('Message; default: prepared by git', { optional: true, maxLength: 1_000_000 }) message?: string;
  @Flag('Commit conflict markers') keep_markers = false;
}

/** Matches the scissors line of git. Text below this line is not part of the message. */
const SCISSORS = /^# -+ >8 -+$/m;
const MAX_MESSAGE = 1_048_576;

type Continuation = (repository: Repository, operation: Operation, message: string | undefined) => Promise<void>;

const CONTINUE: Partial<Record<Operation['kind'], Continuation>> = {
  merge: (repository, _, message) => commitPending(repository, message),
  rebase: continueRebase,
  'cherry-pick': continueSequence,
  revert: continueSequence,
};

/**
 * Continues the merge, rebase, cherry-pick or revert in progress. Never opens an editor, and refuses to commit conflict markers unless
 * `keep_markers` is set.
 *
 * @throws ToolError CONFLICT with files, operation and next steps, NO_OPERATION, NOTHING_TO_COMMIT, REPO_UNTRUSTED, NO_WORK_TREE,
 * INVALID_ARGUMENTS, HOOK_FAILED, IDENTITY_REQUIRED, LOCKED
 */
export async function gitContinue(repository: Repository, { message, keep_markers }: GitContinueInput): Promise<Result> {
  requireMessage(message);
  const outcome = await repository.withWriteLock(async () => {
    const operation = await requireOperation(repository);
    const unmerged = await listUnmerged(repository);
    if (unmerged.length > 0) throw conflictError(unmerged, operation);
    if (!keep_markers) await requireNoMarkers(repository);
    await requireHarmlessSteps(repository.layout.gitDir, operation);
    const { oid } = await requireHead(repository);
    await CONTINUE[operation.kind]?.(repository, operation, message);
    return readEndOutcome(repository, operation.before ?? oid);
  });
  return formatIntegration(outcome);
}

/** Returns the outcome `finished`, or `in_progress` if the operation stopped again. */
export async function readEndOutcome(repository: Repository, before: string): Promise<IntegrationResult> {
  const left = await readOperation(repository);
  return readOutcome(repository, before, () => (left === undefined || left.kind === 'bisect' ? 'finished' : 'in_progress'));
}

/** @throws ToolError NO_OPERATION, NO_WORK_TREE */
export async function requireOperation(repository: Repository): Promise<Operation> {
  requireWorkTree(repository);
  const operation = await readOperation(repository);
  if (operation !== undefined && operation.kind !== 'bisect') return operation;
  throw noOperationError(operation);
}

export function noOperationError(operation: Operation | undefined): ToolError {
  return new ToolError('NO_OPERATION', 'no merge, rebase, cherry-pick or revert is in progress', {
    hint: operation === undefined ? 'to commit staged changes, use git_commit' : 'git_bisect with action: reset ends a bisect',
  });
}

async function continueSequence(repository: Repository, { kind, commit }: Operation, message: string | undefined): Promise<void> {
  // If `commit` is `undefined`, the sequence stopped between two commits, and no commit is pending.
  if (commit !== undefined) {
    await requireStaged(repository, kind);
    await commitPending(repository, message);
  }
  if ((await readOperation(repository))?.kind === kind) await runIntegration(repository, [kind, '--continue']);
}

async function continueRebase(repository: Repository, _: Operation, message: string | undefined): Promise<void> {
  // The author of the commit is kept only if git itself creates the commit; git then reads the message from this file.
  if (message !== undefined) await writeFile(path.join(repository.layout.gitDir, 'rebase-merge/message'), `${message}\n`);
  const config = message === undefined ? {} : { 'commit.cleanup': 'whitespace' };
  // The shell built-in `:` as editor leaves the message unchanged.
  await runIntegration(repository, ['rebase', '--continue'], { config, env: { GIT_EDITOR: ':' } });
}

async function commitPending(repository: Repository, given: string | undefined): Promise<void> {
  const message = given ?? (await readPreparedMessage(repository));
  // Whether the commit is empty was checked before. If git checked it, git would list changes and enter submodules.
  const flags = ['--quiet', '--no-edit', '--allow-empty', '--no-gpg-sign', ...buildVerifyFlags(repository)];
  if (message === undefined) return runIntegration(repository, ['commit', ...flags, '--cleanup=strip']);
  await runIntegration(repository, ['commit', ...flags, '--cleanup=whitespace', '--file=-'], { input: message });
}

async function requireStaged(repository: Repository, operation: Operation['kind']): Promise<void> {
  if ((await listChangedFiles(repository, '--cached')).length > 0) return;
  throw new ToolError('NOTHING_TO_COMMIT', 'nothing is staged, so this commit would be empty', {
    hint: 'skip the commit with git_skip, or abort the operation with git_abort',
    data: { operation },
  });
}

/**
 * Returns the prepared message above the scissors line. Returns `undefined` without such a line, because comments cannot be identified then;
 * git strips them itself.
 */
async function readPreparedMessage({ layout }: Repository): Promise<string | undefined> {
  const prepared = (await readFileBelow(layout.gitDir, 'MERGE_MSG', MAX_MESSAGE))?.toString('utf8');
  const mark = prepared?.search(SCISSORS) ?? -1;
  return mark === -1 ? undefined : prepared?.slice(0, mark);
}
