import { Flag, Text, TextList, ToolError, type Preview, type RequestContext } from '@org/mcp-decorators';

import { ConfirmInput } from '../confirm/confirm-input.ts';
import type { Loss } from '../confirm/loss.ts';
import { whenConfirmed } from '../confirm/when-confirmed.ts';
import { backUp } from '../repository/backup-ref.ts';
import { DIFF_FLAGS } from '../repository/diff.ts';
import { headOf } from '../repository/head.ts';
import { oidOf } from '../repository/object.ts';
import { runWithHooks } from '../repository/run-with-hooks.ts';
import { bodyOf, decode, decodeReferences, endedFields } from '../repository/parse/fields.ts';
import { pathsInside } from '../repository/paths.ts';
import type { Repository } from '../repository/repository.ts';
import { resolveCommit } from '../repository/revision.ts';
import { signing } from '../repository/signing.ts';
import { requireTakeable } from '../repository/takeable.ts';
import { requireWorkTree } from '../repository/work-tree.ts';
import { commitMessage, requireAuthor } from '../text/commit-message.ts';
import { cutSubject } from '../text/cut-subject.ts';
import { short } from '../text/short.ts';
import { trimEnd } from '../text/trim-end.ts';

export class GitCommitInput extends ConfirmInput {
  @Text('Subject, empty line, body; optional with amend', { optional: true, minLength: 1, maxLength: 1_000_000 })
  message?: string;

  @Text('"Name <email>"; default: the user', { optional: true }) author?: string;
  @Flag('Replace the last commit; has to be confirmed once it is pushed') amend = false;
  @Flag() allow_empty = false;
  @Flag("Sign it with the user's key") sign = false;
  @TextList('Last lines of the message, such as "Closes: #1"', { optional: true, maxItems: 50 }) trailers?: string[];
  @TextList('Commit only these tracked files, as in the work tree', { optional: true, maxItems: 1000 }) paths?: string[];
}

/** A new commit. */
export interface NewCommit {
  readonly oid: string;
  /** Absent on a detached HEAD. */
  readonly branch?: string;
  readonly subject: string;
  /** How many files it changed. */
  readonly files: number;
  /** Whether hooks could run. */
  readonly hooks: boolean;
  readonly signed: boolean;
  /** A command that brings back the commit that was replaced. */
  readonly recover_with?: string;
}

/**
 * Commits what is staged, or some files; hooks run only with `--allow-hooks`.
 *
 * @throws ToolError NOTHING_TO_COMMIT, CONFLICT, IDENTITY_REQUIRED, INVALID_ARGUMENTS, EMPTY_REPO, HOOK_FAILED, SIGNING_FAILED,
 * CONFIRMATION_REQUIRED, PRECONDITION_FAILED, PATH_NOT_FOUND, PATH_OUTSIDE_ROOTS, NO_WORK_TREE, LOCKED
 */
export async function gitCommit(
  repository: Repository,
  input: GitCommitInput,
  context: RequestContext,
): Promise<NewCommit | Preview> {
  requireWorkTree(repository);
  if (input.author !== undefined) requireAuthor(input.author);
  if (input.message !== undefined) commitMessage(input.message, input.trailers);
  else if (!input.amend) throw new ToolError('INVALID_ARGUMENTS', 'there is no message', { hint: 'only `amend` can do without' });
  const paths = pathsInside(repository, input.paths ?? []);
  return whenConfirmed(
    { repository, input, context },
    async () => (input.amend ? lossOf(repository) : undefined),
    () => commit(repository, input, paths),
  );
}

/** A commit that others may have is not replaced just so. */
async function lossOf(repository: Repository): Promise<Loss | undefined> {
  const oid = await resolveCommit(repository, 'HEAD');
  const { stdout } = await repository.read(['for-each-ref', `--contains=${oid}`, '--format=%(refname:short)%00', 'refs/remotes']);
  const holders = decodeReferences(stdout);
  if (holders.length === 0) return undefined;
  return {
    question: `Replace the commit ${short(oid)}, although others may have it already?`,
    lost: holders.map((name) => `${name} has it, and will differ`),
    recoverWith: `git reset --soft ${oid}`,
    seen: { holders: holders.join('\n') },
  };
}

async function commit(repository: Repository, input: GitCommitInput, paths: readonly string[]): Promise<NewCommit> {
  const { amend, sign } = input;
  const before = amend ? await resolveCommit(repository, 'HEAD') : undefined;
  if (!amend && !input.allow_empty) await requireChanges(repository, paths);
  if (paths.length > 0) await requireTakeable(repository, paths);
  const message = commitMessage(input.message ?? (await messageOf(repository)), input.trailers);
  if (before !== undefined) await backUp(repository, before);
  await runWithHooks(repository, ['commit', ...flagsOf(repository, input), '--', ...paths], {
    // Through stdin: as an argument the message could be taken for an option, and is bounded.
    input: message,
    ...(sign && (await signing(repository))),
  });
  return madeCommit(repository, { sign, before });
}

function flagsOf({ policy }: Repository, { amend, author, sign, paths = [] }: GitCommitInput): readonly string[] {
  return [
    '--quiet',
    '--no-edit',
    '--cleanup=whitespace',
    '--file=-',
    // What may be empty is decided before: git would list what there is instead, and look into submodules for that.
    '--allow-empty',
    sign ? '--gpg-sign' : '--no-gpg-sign',
    ...(policy.allowHooks ? [] : ['--no-verify']),
    ...(amend ? ['--amend'] : []),
    ...(author === undefined ? [] : [`--author=${author}`]),
    ...(paths.length === 0 ? [] : ['--only']),
  ];
}

async function madeCommit(
  repository: Repository,
  { sign, before }: { readonly sign: boolean; readonly before: string | undefined },
): Promise<NewCommit> {
  const format = ['-z', '--no-show-signature', '--no-color', '--encoding=UTF-8', '--format=%H%x00%s'];
  const changes = [...DIFF_FLAGS, '--name-only', '--no-renames', '--diff-merges=first-parent'];
  const [{ stdout }, { branch }] = await Promise.all([
    repository.read(['log', '--max-count=1', ...format, ...changes, 'HEAD', '--']),
    headOf(repository),
  ]);
  const { text, words } = decode(stdout);
  const [oid = '', subject = '', ...files] = endedFields(text).filter((field) => field !== '');
  return {
    oid,
    ...(branch !== undefined && { branch }),
    subject: cutSubject(words(subject)),
    files: files.length,
    hooks: repository.policy.allowHooks,
    signed: sign,
    ...(before !== undefined && { recover_with: `git reset --soft ${before}` }),
  };
}

async function messageOf(repository: Repository): Promise<string> {
  const command = ['log', '--max-count=1', '--no-show-signature', '--encoding=UTF-8', '--format=%B', 'HEAD', '--'];
  return trimEnd(bodyOf((await repository.read(command)).stdout), '\n');
}

/** A merge is committed even if it changes nothing. */
async function requireChanges(repository: Repository, paths: readonly string[]): Promise<void> {
  const against = paths.length === 0 ? ['--cached'] : ['HEAD'];
  const { oid } = await headOf(repository);
  if (oid === undefined && paths.length > 0) return;
  const unchanged = await repository.read(['diff', ...DIFF_FLAGS, ...against, '--quiet', '--', ...paths], { codes: [0, 1] });
  if (unchanged.code === 1) return;
  if (paths.length > 0) {
    await repository.read(['ls-files', '--error-unmatch', '--', ...paths]);
    throw new ToolError('NOTHING_TO_COMMIT', 'nothing has changed at or below these paths');
  }
  if ((await oidOf(repository, 'MERGE_HEAD')) !== undefined) return;
  throw new ToolError('NOTHING_TO_COMMIT', 'nothing is staged', { hint: 'git_add stages files' });
}
