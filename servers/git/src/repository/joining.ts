import { ToolError, visibleName } from '@org/mcp-decorators';

import { closedSubmodules } from './closed-submodules.ts';
import { DIFF_FLAGS } from './diff.ts';
import { failureOf } from './failures.ts';
import { headOf, type Head } from './head.ts';
import { hooksOf } from './hooks.ts';
import { operationIn, type Operation } from './operation.ts';
import { decodeList } from './parse/fields.ts';
import { parseUnmerged, type Unmerged } from './parse/unmerged.ts';
import { isSequence, requireHarmlessSteps } from './planted-steps.ts';
import { isCopyable, onPrivateState } from './private-state.ts';
import type { CommandOptions, Repository } from './repository.ts';
import { requireCommits } from './revision.ts';
import type { Output } from './runner.ts';
import { requireWorkTree } from './work-tree.ts';

/**
 * What the repository's or the user's taste would make of a merge or a rebase. `rebase.instructionFormat` writes into the list of
 * steps, where a line of its own is a command.
 */
const CONFIGURATION: Readonly<Record<string, string>> = {
  'core.commentChar': '#',
  'commit.cleanup': 'default',
  // The message is not edited, and for what is listed below it git would look into submodules.
  'commit.status': 'false',
  'commit.template': '',
  'merge.autoStash': 'false',
  'merge.log': 'false',
  'rebase.abbreviateCommands': 'false',
  'rebase.autoSquash': 'false',
  'rebase.autoStash': 'false',
  'rebase.forkPoint': 'false',
  'rebase.instructionFormat': '%s',
  'rebase.missingCommitsCheck': 'ignore',
  'rebase.rebaseMerges': 'false',
  'rebase.updateRefs': 'false',
  'revert.reference': 'false',
};

/** Never `pull.twohead`, which may name any program. */
export const STRATEGY = '--strategy=ort';

const GOING_ON = new Set(['--continue', '--skip']);

/** As many file names as a message holds; all of them are in its data. */
const MAX_NAMED = 20;
/** Most paths in the data of an error; git_conflicts lists all. */
const MAX_LISTED = 200;

/** Once nothing is in conflict any more. */
export const STEPS_RESOLVED: readonly string[] = ['git_continue goes on', 'git_abort goes back to where it began'];

/** How to go on after a conflict. */
const NEXT_STEPS: readonly string[] = [
  'git_conflicts shows what is in conflict',
  'edit the files, then git_add them',
  ...STEPS_RESOLVED,
];

/** The same where git keeps nothing to go on with: a squash, a pick without commit, a stash. */
const NEXT_STEPS_ALONE: readonly string[] = NEXT_STEPS.map((step) =>
  step.replace(/^git_continue.*/, 'git_commit commits the result'),
);

/**
 * Runs a command that joins commits to what is checked out; hooks run only where the operator allows them.
 *
 * @throws ToolError CONFLICT with files, operation and next steps, NOTHING_TO_COMMIT, HOOK_FAILED, IDENTITY_REQUIRED, LOCKED
 */
export async function join(repository: Repository, command: readonly string[], options: CommandOptions = {}): Promise<void> {
  const closed = await closedSubmodules(repository);
  const config = { ...CONFIGURATION, ...hooksOf(repository.policy).config, ...closed, ...options.config };
  const output = await run(repository, command, { ...options, config, codes: [0, 1, 2, 128] });
  if (output.code !== 0) throw await reasonOf(repository, command[0] ?? '', output);
}

/**
 * Any step of a rebase may be a command, and options of a cherry-pick or revert may start programs. Git reads both again after the
 * check. Therefore git works on a private copy.
 */
async function run(repository: Repository, command: readonly string[], options: CommandOptions): Promise<Output> {
  const [name, way = ''] = command;
  if (!isSequence(name) || !GOING_ON.has(way) || repository.isTrusted) return repository.write(command, options);
  // Git refuses steps of a cherry-pick or revert that are commands, and no option signs with the hardened configuration.
  if (name !== 'rebase' && !(await isCopyable(repository))) return repository.write(command, options);
  return onPrivateState(repository, name, async ({ gitDir, env }) => {
    await requireHarmlessSteps(gitDir, { kind: name, steps: true });
    // Git would write the shared part of a split index to the copy, which is removed afterwards.
    const config = { ...options.config, 'core.splitIndex': 'false' };
    return repository.write(command, { ...options, config, env: { ...options.env, ...env } });
  });
}

/** Options that a branch has for merges of its own would be added to those given. */
export function withoutOptions(branch: string | undefined): Pick<CommandOptions, 'config'> {
  return branch === undefined ? {} : { config: { [`branch.${branch}.mergeOptions`]: '' } };
}

/** For commands that know it: hooks that could stop them are not even looked for. */
export function verifyFlags({ policy }: Repository): readonly string[] {
  return policy.allowHooks ? [] : ['--no-verify'];
}

/** A HEAD that has a commit. */
export type FoundHead = Head & { readonly oid: string };

/**
 * HEAD of a work tree in which something can be begun.
 *
 * @throws ToolError NO_WORK_TREE, EMPTY_REPO, CONFLICT if an operation is in progress, or was left with conflicts
 */
export async function idleHead(repository: Repository): Promise<FoundHead> {
  requireWorkTree(repository);
  await requireIdle(repository);
  return requireHead(repository);
}

/** @throws ToolError EMPTY_REPO */
export async function requireHead(repository: Repository): Promise<FoundHead> {
  const { oid, branch } = await headOf(repository);
  if (oid !== undefined) return { oid, branch };
  await requireCommits(repository);
  return requireHead(repository);
}

async function requireIdle(repository: Repository): Promise<void> {
  const [operation, files] = await Promise.all([operationIn(repository), unmergedIn(repository)]);
  if (files.length > 0) throw conflictIn(files, operation);
  if (operation === undefined || operation.kind === 'bisect') return;
  throw new ToolError('CONFLICT', `a ${operation.kind} is in progress`, {
    hint: STEPS_RESOLVED.join('; '),
    data: { operation: operation.kind, files: [], next_steps: STEPS_RESOLVED },
  });
}

/** What is in conflict, by path. */
export async function unmergedIn(repository: Repository): Promise<readonly Unmerged[]> {
  return parseUnmerged((await repository.read(['ls-files', '--unmerged', '-z'])).stdout);
}

/** How to go on: what there is to do depends on whether an operation is in progress. */
export function nextSteps(operation: Operation | undefined): readonly string[] {
  return operation === undefined ? NEXT_STEPS_ALONE : NEXT_STEPS;
}

/** What stopped for files that are to be resolved. */
export function conflictIn(files: readonly Unmerged[], operation: Operation | undefined): ToolError {
  const paths = files.map(({ path }) => path);
  const named = paths.slice(0, MAX_NAMED).map(visibleName).join(', ');
  const more = paths.length > MAX_NAMED ? ` and ${paths.length - MAX_NAMED} more` : '';
  const steps = nextSteps(operation);
  return new ToolError('CONFLICT', `${operation?.kind ?? 'what was joined'} has conflicts in ${named}${more}`, {
    hint: `${steps.join('; ')}.`,
    data: { operation: operation?.kind, files: paths.slice(0, MAX_LISTED), next_steps: steps },
  });
}

/** Tracked files that are not as in HEAD. */
export async function changedNames(repository: Repository, ...between: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await repository.read(['diff', ...DIFF_FLAGS, '--name-only', '--no-renames', '-z', ...between, '--']);
  return decodeList(stdout);
}

async function reasonOf(repository: Repository, command: string, output: Output): Promise<ToolError> {
  const said = `${output.stdout.toString('utf8')}\n${output.stderr}`;
  const [operation, files] = await Promise.all([operationIn(repository), unmergedIn(repository)]);
  if (files.length > 0) return conflictIn(files, operation);
  if (/is now empty|^nothing to commit|^nothing added to commit|^No changes/m.test(said)) return nothingLeft(operation);
  const failure = failureOf(command, output);
  if (failure.code === 'CONFLICT') return overwritten(repository, failure);
  return failure.code === 'GIT_FAILED' && repository.policy.allowHooks ? hookFailed(failure, operation) : failure;
}

/** git names files of the work tree that are in the way; that something is staged it says only as such. */
async function overwritten(repository: Repository, failure: ToolError): Promise<ToolError> {
  const listed = failure.data?.['files'];
  if (!Array.isArray(listed) || listed.length > 0) return failure;
  const files = await changedNames(repository, '--cached');
  return new ToolError('CONFLICT', `something is staged: ${files.slice(0, MAX_NAMED).map(visibleName).join(', ')}`, {
    hint: 'commit it first, or put it aside with git_stash_push',
    data: { files },
  });
}

function nothingLeft(operation: Operation | undefined): ToolError {
  return new ToolError('NOTHING_TO_COMMIT', 'what it changes is there already', {
    hint: operation === undefined ? 'nothing was done' : 'git_skip passes over it, git_abort gives up',
    data: { operation: operation?.kind },
  });
}

// A hook is the only thing that can refuse what has no conflict; git does not say which one it was.
function hookFailed(failure: ToolError, operation: Operation | undefined): ToolError {
  return new ToolError('HOOK_FAILED', `a hook may have refused it: ${failure.message}`, {
    hint: operation === undefined ? 'nothing was done' : 'git_continue tries again, git_abort gives up',
    data: { operation: operation?.kind },
  });
}
