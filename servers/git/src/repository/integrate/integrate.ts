import { ToolError } from '@org/mcp-decorators';

import { listChangedFiles } from '../content/diff-flags.ts';
import { configureHooks } from '../hooks.ts';
import { explainGitFailure } from '../process/failures.ts';
import type { GitOutput } from '../process/run-process.ts';
import type { CommandOptions, Repository } from '../repository.ts';
import { ignoreSubmoduleChanges } from '../work-tree/submodules.ts';
import { conflictError, formatPaths, listUnmerged } from './conflicts.ts';
import { readOperation, type Operation } from './operation.ts';
import { isSequence, requireHarmlessSteps } from './planted-steps.ts';
import { isCopyable, withPrivateState } from './private-state.ts';

/**
 * Overrides settings of the repository and of the user that change the behaviour of a merge or a rebase.
 * `rebase.instructionFormat` is written to the list of steps, where a separate line would be a command.
 */
const CONFIGURATION: Readonly<Record<string, string>> = {
  'core.commentChar': '#',
  'commit.cleanup': 'default',
  // For the status in the message template, git would run in submodules. The message is not edited, so it needs no status.
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

/** Overrides `pull.twohead`, which may name any program. */
export const STRATEGY = '--strategy=ort';

const CONTINUING = new Set(['--continue', '--skip']);

/**
 * Runs a command that integrates commits into HEAD, such as a merge, rebase or cherry-pick. Hooks run only if the operator allows
 * them.
 *
 * @throws ToolError CONFLICT with files, operation and next steps, NOTHING_TO_COMMIT, HOOK_FAILED, IDENTITY_REQUIRED, LOCKED,
 * REPO_UNTRUSTED if steps of the operation may start programs
 */
export async function runIntegration(
  repository: Repository,
  command: readonly string[],
  options: CommandOptions = {},
): Promise<void> {
  const closed = await ignoreSubmoduleChanges(repository);
  const config = { ...CONFIGURATION, ...configureHooks(repository.policy).config, ...closed, ...options.config };
  const output = await runOnCheckedSteps(repository, command, { ...options, config, codes: [0, 1, 2, 128] });
  if (output.code !== 0) throw await explainOutput(repository, command[0] ?? '', output);
}

/**
 * Runs a command. If the command continues a rebase, cherry-pick or revert in an untrusted repository, runs it on a private copy
 * of the state. A step of a rebase may be a command, and options of a cherry-pick or revert may start programs. Git reads both
 * again after the check, so the state must not change in between.
 */
async function runOnCheckedSteps(
  repository: Repository,
  command: readonly string[],
  options: CommandOptions,
): Promise<GitOutput> {
  const [name, way = ''] = command;
  if (!isSequence(name) || !CONTINUING.has(way) || repository.isTrusted) return repository.write(command, options);
  // Without a copy, a cherry-pick or revert is safe: git rejects commands as its steps, and with the hardened configuration signing fails.
  if (name !== 'rebase' && !(await isCopyable(repository))) return repository.write(command, options);
  return withPrivateState(repository, name, async ({ gitDir, env }) => {
    await requireHarmlessSteps(gitDir, { kind: name, steps: true });
    // Git would write the shared part of a split index to the copy, which is removed afterwards.
    const config = { ...options.config, 'core.splitIndex': 'false' };
    return repository.write(command, { ...options, config, env: { ...options.env, ...env } });
  });
}

/** Returns options that clear the configured merge options of a branch. Git would add them to the options of the command. */
export function clearMergeOptions(branch: string | undefined): Pick<CommandOptions, 'config'> {
  return branch === undefined ? {} : { config: { [`branch.${branch}.mergeOptions`]: '' } };
}

/** Returns the flag that skips hooks, for commands that support it, or no flag if the policy allows hooks. */
export function buildVerifyFlags({ policy }: Repository): readonly string[] {
  return policy.allowHooks ? [] : ['--no-verify'];
}

async function explainOutput(repository: Repository, command: string, output: GitOutput): Promise<ToolError> {
  const said = `${output.stdout.toString('utf8')}\n${output.stderr}`;
  const [operation, files] = await Promise.all([readOperation(repository), listUnmerged(repository)]);
  if (files.length > 0) return conflictError(files, operation);
  if (/is now empty|^nothing to commit|^nothing added to commit|^No changes/m.test(said)) return nothingToCommitError(operation);
  const failure = explainGitFailure(command, output);
  if (failure.code === 'CONFLICT') return explainConflict(repository, failure);
  return failure.code === 'GIT_FAILED' && repository.policy.allowHooks ? hookError(failure, operation) : failure;
}

/**
 * Returns an error with the staged files if git named no files: git names only the files of the work tree that would be
 * overwritten.
 */
async function explainConflict(repository: Repository, failure: ToolError): Promise<ToolError> {
  const listed = failure.data?.['files'];
  if (!Array.isArray(listed) || listed.length > 0) return failure;
  const files = await listChangedFiles(repository, '--cached');
  return new ToolError('CONFLICT', `the index contains staged changes: ${formatPaths(files)}`, {
    hint: 'commit the changes first, or stash them with git_stash_push',
    data: { files },
  });
}

function nothingToCommitError(operation: Operation | undefined): ToolError {
  return new ToolError('NOTHING_TO_COMMIT', 'HEAD already contains these changes', {
    hint:
      operation === undefined ? 'nothing was changed' : 'skip this commit with git_skip, or abort the operation with git_abort',
    data: { operation: operation?.kind },
  });
}

// Without a conflict, a hook is the most likely reason for the failure. Git does not report which hook failed.
function hookError(failure: ToolError, operation: Operation | undefined): ToolError {
  return new ToolError('HOOK_FAILED', `a hook may have failed: ${failure.message}`, {
    hint: operation === undefined ? 'nothing was changed' : 'try again with git_continue, or abort the operation with git_abort',
    data: { operation: operation?.kind },
  });
}
