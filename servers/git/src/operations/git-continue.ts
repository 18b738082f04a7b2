import { writeFile } from 'node:fs/promises';
import path from 'node:path';

import { Text, ToolError } from '@org/mcp-decorators';

import { changedNames, conflictIn, join, requireHead, unmergedIn, verifyFlags } from '../repository/joining.ts';
import { operationIn, type Operation } from '../repository/operation.ts';
import { requireHarmlessSteps } from '../repository/planted-steps.ts';
import type { Repository } from '../repository/repository.ts';
import { readBelow } from '../repository/state-file.ts';
import { requireWorkTree } from '../repository/work-tree.ts';
import { requireMessage } from '../text/commit-message.ts';
import { joined } from './joined.ts';
import type { JoinedHistory } from './joined-history.ts';
import { RepositoryInput } from './repository-input.ts';

export class GitContinueInput extends RepositoryInput {
  @Text('Of the commit that is made; default: the one git prepared', { optional: true, maxLength: 1_000_000 }) message?: string;
}

/** git's own mark: what is below it is no part of a message. */
const SCISSORS = /^# -+ >8 -+$/m;
const MAX_MESSAGE = 1_048_576;

type GoOn = (repository: Repository, operation: Operation, message: string | undefined) => Promise<void>;

const WAYS: Partial<Record<Operation['kind'], GoOn>> = {
  merge: (repository, _, message) => commitPending(repository, message),
  rebase: continueRebase,
  'cherry-pick': continueSequence,
  revert: continueSequence,
};

/**
 * Goes on with the merge, rebase, cherry-pick or revert in progress; never with an editor.
 *
 * @throws ToolError CONFLICT with files, operation and next steps, NO_OPERATION, NOTHING_TO_COMMIT, REPO_UNTRUSTED, NO_WORK_TREE,
 * INVALID_ARGUMENTS, HOOK_FAILED, IDENTITY_REQUIRED, LOCKED
 */
export function gitContinue(repository: Repository, { message }: GitContinueInput): Promise<JoinedHistory> {
  requireMessage(message);
  return repository.alone(async () => {
    const operation = await requireOperation(repository);
    const unmerged = await unmergedIn(repository);
    if (unmerged.length > 0) throw conflictIn(unmerged, operation);
    await requireHarmlessSteps(repository.ground.gitDir, operation);
    const { oid } = await requireHead(repository);
    await WAYS[operation.kind]?.(repository, operation, message);
    return endedOf(repository, operation.before ?? oid);
  });
}

/** Whether what was gone on with is at its end. */
export async function endedOf(repository: Repository, before: string): Promise<JoinedHistory> {
  const left = await operationIn(repository);
  return joined(repository, before, () => (left === undefined || left.kind === 'bisect' ? 'finished' : 'in_progress'));
}

/** @throws ToolError NO_OPERATION, NO_WORK_TREE */
export async function requireOperation(repository: Repository): Promise<Operation> {
  requireWorkTree(repository);
  const operation = await operationIn(repository);
  if (operation !== undefined && operation.kind !== 'bisect') return operation;
  throw noOperation(operation);
}

export function noOperation(operation: Operation | undefined): ToolError {
  return new ToolError('NO_OPERATION', 'no merge, rebase, cherry-pick or revert is in progress', {
    hint: operation === undefined ? 'git_commit commits what is staged' : 'a bisect is ended by git bisect reset',
  });
}

async function continueSequence(repository: Repository, { kind, commit }: Operation, message: string | undefined): Promise<void> {
  // Without one it stopped between two commits.
  if (commit !== undefined) {
    await requireStaged(repository, kind);
    await commitPending(repository, message);
  }
  if ((await operationIn(repository))?.kind === kind) await join(repository, [kind, '--continue']);
}

async function continueRebase(repository: Repository, _: Operation, message: string | undefined): Promise<void> {
  // git keeps the author of a commit only if it commits itself, by the message that it kept.
  if (message !== undefined) await writeFile(path.join(repository.ground.gitDir, 'rebase-merge/message'), `${message}\n`);
  const config = message === undefined ? {} : { 'commit.cleanup': 'whitespace' };
  // The colon is no program, and leaves the message as it is.
  await join(repository, ['rebase', '--continue'], { config, env: { GIT_EDITOR: ':' } });
}

async function commitPending(repository: Repository, given: string | undefined): Promise<void> {
  const message = given ?? (await preparedMessage(repository));
  // What may be empty is decided before: git would list what there is instead, and look into submodules for that.
  const flags = ['--quiet', '--no-edit', '--allow-empty', '--no-gpg-sign', ...verifyFlags(repository)];
  if (message === undefined) return join(repository, ['commit', ...flags, '--cleanup=strip']);
  await join(repository, ['commit', ...flags, '--cleanup=whitespace', '--file=-'], { input: message });
}

async function requireStaged(repository: Repository, operation: Operation['kind']): Promise<void> {
  if ((await changedNames(repository, '--cached')).length > 0) return;
  throw new ToolError('NOTHING_TO_COMMIT', 'nothing is staged, so nothing is left of this commit', {
    hint: 'git_skip passes over it, git_abort gives up',
    data: { operation },
  });
}

/** What is above git's mark, where it made one; else what is a comment cannot be told from what is not, and git leaves it all out. */
async function preparedMessage({ ground }: Repository): Promise<string | undefined> {
  const prepared = (await readBelow(ground.gitDir, 'MERGE_MSG', MAX_MESSAGE))?.toString('utf8');
  const mark = prepared?.search(SCISSORS) ?? -1;
  return mark === -1 ? undefined : prepared?.slice(0, mark);
}
