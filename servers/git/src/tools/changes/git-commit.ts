import {
  confirmedResult,
  Flag,
  Result,
  Text,
  TextList,
  ToolError,
  escapeInvisible,
  type RequestContext,
} from '@org/mcp-decorators';

import { DIFF_FLAGS } from '../../repository/content/diff-flags.ts';
import { listSkippedHooks, runWithHooks } from '../../repository/hooks.ts';
import { decodeBody, decodeOutput, splitTextFields } from '../../repository/parse/fields.ts';
import { decodeReferenceNames } from '../../repository/parse/references.ts';
import { backUpCommit } from '../../repository/refs/backup-ref.ts';
import { readHead } from '../../repository/refs/head.ts';
import { findOid } from '../../repository/refs/object.ts';
import { resolveCommit } from '../../repository/refs/revision.ts';
import { requireNoMarkers } from '../../repository/integrate/left-markers.ts';
import { readOperation } from '../../repository/integrate/operation.ts';
import type { Repository } from '../../repository/repository.ts';
import { readSigningOptions } from '../../repository/signing.ts';
import { resolvePaths, requireWorkTree } from '../../repository/work-tree/paths.ts';
import { formatCommitMessage, requireAuthor } from '../../text/commit-message.ts';
import { cutSubject, trimEnd } from '../../text/cut.ts';
import { formatCount, shortOid } from '../../text/format.ts';
import { quoteInput } from '../../text/visible.ts';
import { requireNoFilesBehindLinks } from '../../repository/work-tree/behind-links.ts';
import { hasRepository, readSubmoduleCommit } from '../../repository/work-tree/submodules.ts';
import { listSubmodules } from '../../repository/work-tree/tracked-files.ts';
import { listWorkTreePaths, readUncommittedChanges } from '../../repository/work-tree/uncommitted.ts';
import { ConfirmInput } from '../confirm/confirm-input.ts';
import { runWhenConfirmed, type Loss } from '../confirm/run-when-confirmed.ts';
import { formatRecovery } from '../results/result-text.ts';
import { formatUndo, resetTo } from '../results/undo.ts';

export class GitCommitInput extends ConfirmInput {
  @Text('Subject, empty line, body; optional with amend', { optional: true, minLength: 1, maxLength: 1_000_000 })
  message?: string;

  @Text('"Name <email>"; default: the configured user', { optional: true }) author?: string;
  @Flag('Replace the last commit; requires confirmation if pushed') amend = false;
  @Flag('Allow a commit without changes') allow_empty = false;
  @Flag("Sign with the user's key") sign = false;
  @TextList('Trailers, such as "Closes: #1"', { optional: true, maxItems: 50 }) trailers?: string[];
  @TextList('Commit only these tracked files, as in the work tree', { optional: true, maxItems: 1000 }) paths?: string[];
}

/** A new commit. */
export interface NewCommit {
  readonly oid: string;
  /** Current branch; absent on a detached HEAD. */
  readonly branch?: string;
  readonly subject: string;
  /** Number of files that the commit changes. */
  readonly files: number;
  /** Whether hooks were allowed to run. */
  readonly hooks: boolean;
  /** Hooks of the repository that did not run because the operator allows no hooks; absent without such hooks. */
  readonly skipped_hooks?: readonly string[];
  readonly signed: boolean;
  /** The tool call or git command that restores the replaced commit; absent if no commit was replaced. */
  readonly recover_with?: string;
}

/**
 * Commits the staged changes, or only some files. Hooks run only with `--allow-hooks`. During a merge or another operation, conflict
 * markers are not committed.
 *
 * @throws ToolError NOTHING_TO_COMMIT, CONFLICT, IDENTITY_REQUIRED, INVALID_ARGUMENTS, EMPTY_REPO, HOOK_FAILED, SIGNING_FAILED,
 * CONFIRMATION_REQUIRED, PRECONDITION_FAILED, PATH_NOT_FOUND, PATH_OUTSIDE_ROOTS, NO_WORK_TREE, LOCKED
 */
export async function gitCommit(repository: Repository, input: GitCommitInput, context: RequestContext): Promise<Result> {
  requireWorkTree(repository);
  if (input.author !== undefined) requireAuthor(input.author);
  if (input.message !== undefined) formatCommitMessage(input.message, input.trailers);
  else if (!input.amend)
    throw new ToolError('INVALID_ARGUMENTS', 'the message is missing', {
      hint: 'set `message`, which is optional only with `amend`',
    });
  const paths = resolvePaths(repository, input.paths ?? []);
  const outcome = await runWhenConfirmed(
    { repository, input, context },
    async () => (input.amend ? findLoss(repository) : undefined),
    () => commit(repository, input, paths),
  );
  return confirmedResult(outcome, formatCommit);
}

/**
 * Returns what the user must confirm: the remote-tracking branches that contain HEAD and would diverge. Returns `undefined` if no
 * such branch exists, because then HEAD was not pushed.
 */
async function findLoss(repository: Repository): Promise<Loss | undefined> {
  const oid = await resolveCommit(repository, 'HEAD');
  const { stdout } = await repository.read(['for-each-ref', `--contains=${oid}`, '--format=%(refname:short)%00', 'refs/remotes']);
  const holders = decodeReferenceNames(stdout);
  if (holders.length === 0) return undefined;
  return {
    question: `Replace the commit ${shortOid(oid)}, although it was pushed?`,
    lost: holders.map((name) => `${name} contains the commit and will diverge`),
    recoverWith: formatUndo(repository, [resetTo('soft', oid)]),
    seen: { holders: holders.join('\n') },
  };
}

async function commit(repository: Repository, input: GitCommitInput, paths: readonly string[]): Promise<NewCommit> {
  const { amend, sign } = input;
  const before = amend ? await resolveCommit(repository, 'HEAD') : undefined;
  if (!amend && !input.allow_empty) await requireChanges(repository, paths);
  if ((await readOperation(repository)) !== undefined) await requireNoMarkers(repository);
  if (paths.length > 0) await requireContentInsideRoots(repository, paths);
  const message = formatCommitMessage(input.message ?? (await readMessage(repository)), input.trailers);
  if (before !== undefined) await backUpCommit(repository, before);
  await runWithHooks(repository, ['commit', ...buildFlags(repository, input), '--', ...paths], {
    // The message is passed through stdin: as an argument, it could be read as an option, and its length would be limited.
    input: message,
    ...(sign && (await readSigningOptions(repository))),
  });
  return readNewCommit(repository, { sign, before });
}

function buildFlags({ policy }: Repository, { amend, author, sign, paths = [] }: GitCommitInput): readonly string[] {
  return [
    '--quiet',
    '--no-edit',
    '--cleanup=whitespace',
    '--file=-',
    // Whether the commit is empty was checked before. If git checked it, git would list changes and enter submodules.
    '--allow-empty',
    sign ? '--gpg-sign' : '--no-gpg-sign',
    ...(policy.allowHooks ? [] : ['--no-verify']),
    ...(amend ? ['--amend'] : []),
    ...(author === undefined ? [] : [`--author=${author}`]),
    ...(paths.length === 0 ? [] : ['--only']),
  ];
}

async function readNewCommit(
  repository: Repository,
  { sign, before }: { readonly sign: boolean; readonly before: string | undefined },
): Promise<NewCommit> {
  const format = ['-z', '--no-show-signature', '--no-color', '--encoding=UTF-8', '--format=%H%x00%s'];
  const changes = [...DIFF_FLAGS, '--name-only', '--no-renames', '--diff-merges=first-parent'];
  const [{ stdout }, { branch }, skipped] = await Promise.all([
    repository.read(['log', '--max-count=1', ...format, ...changes, 'HEAD', '--']),
    readHead(repository),
    listSkippedHooks(repository, COMMIT_HOOKS),
  ]);
  const { text, words } = decodeOutput(stdout);
  const [oid = '', subject = '', ...files] = splitTextFields(text).filter((field) => field !== '');
  return {
    oid,
    ...(branch !== undefined && { branch }),
    subject: cutSubject(words(subject)),
    files: files.length,
    hooks: repository.policy.allowHooks,
    ...(skipped.length > 0 && { skipped_hooks: skipped }),
    signed: sign,
    ...(before !== undefined && { recover_with: formatUndo(repository, [resetTo('soft', before)]) }),
  };
}

async function readMessage(repository: Repository): Promise<string> {
  const command = ['log', '--max-count=1', '--no-show-signature', '--encoding=UTF-8', '--format=%B', 'HEAD', '--'];
  return trimEnd(decodeBody((await repository.read(command)).stdout), '\n');
}

/** Rejects a commit without changes. A merge is accepted even if it changes nothing. */
async function requireChanges(repository: Repository, paths: readonly string[]): Promise<void> {
  const against = paths.length === 0 ? ['--cached'] : ['HEAD'];
  const { oid } = await readHead(repository);
  if (oid === undefined && paths.length > 0) return;
  const unchanged = await repository.read(['diff', ...DIFF_FLAGS, ...against, '--quiet', '--', ...paths], { codes: [0, 1] });
  if (unchanged.code === 1) return;
  if (paths.length > 0) {
    await repository.read(['ls-files', '--error-unmatch', '--', ...paths]);
    throw new ToolError('NOTHING_TO_COMMIT', 'nothing has changed at or below these paths');
  }
  if ((await findOid(repository, 'MERGE_HEAD')) !== undefined) return;
  throw new ToolError('NOTHING_TO_COMMIT', 'nothing is staged', { hint: 'stage files with git_add' });
}

/** Hooks that may reject or change a commit. */
const COMMIT_HOOKS = ['pre-commit', 'prepare-commit-msg', 'commit-msg'];

function formatCommit(commit: NewCommit): Result {
  const place = commit.branch === undefined ? '' : ` on ${escapeInvisible(commit.branch)}`;
  const facts = `${formatCount(commit.files, 'file')}${commit.signed ? ', signed' : ''}`;
  const { skipped_hooks: skipped = [] } = commit;
  const hooks = skipped.length === 0 ? '' : `\nNot run, because the operator allows no hooks: ${skipped.join(', ')}`;
  return formatRecovery(
    commit,
    `Committed ${shortOid(commit.oid)}${place}: ${escapeInvisible(commit.subject)} (${facts})${hooks}`,
  );
}

/**
 * Requires that all content that git would commit at or below the paths is inside the allowed directories. Git follows links on the
 * path to a file and, for the commit of a submodule, its `.git` file.
 *
 * @throws ToolError INVALID_PATH
 */
async function requireContentInsideRoots(repository: Repository, paths: readonly string[]): Promise<void> {
  const changed = listWorkTreePaths((await readUncommittedChanges(repository, paths)).entries);
  await requireNoFilesBehindLinks(repository, changed);
  for (const directory of new Set([...changed, ...(await listSubmodules(repository, paths))]))
    if ((await hasRepository(repository, directory)) && (await readSubmoduleCommit(repository, directory)) === undefined)
      throw new ToolError(
        'INVALID_PATH',
        `the commit of the submodule ${quoteInput(directory)} is not inside the allowed directories`,
      );
}
