import { Flag, Integer, ListOf, OneOf, Result, Text, ToolError } from '@org/mcp-decorators';
import { takeFittingItems } from '@org/mcp-host';

import { conflictError, formatFirst, listUnmerged } from '../../repository/integrate/conflicts.ts';
import { explainGitFailure } from '../../repository/process/failures.ts';
import type { Repository } from '../../repository/repository.ts';
import { listErrors, readPatchedFiles, type PatchedFile } from '../../repository/work-tree/patched-files.ts';
import { requireWorkTree } from '../../repository/work-tree/paths.ts';
import { readUncommittedChanges } from '../../repository/work-tree/uncommitted.ts';
import { formatCount } from '../../text/format.ts';
import { RepositoryInput } from '../inputs/repository-input.ts';
import { formatPath } from '../../repository/parse/path-bytes.ts';

export class GitApplyInput extends RepositoryInput {
  @Text('Patch in the format of git diff', { maxLength: 16_777_216 }) patch!: string;
  @Flag('Only report whether the patch applies') check = false;
  @Flag('Change the index, too; the files must not have unstaged changes') index = false;
  @Flag('Merge where the lines have changed, and mark conflicts; implies index') three_way = false;
  @Flag('Apply the patch in reverse') reverse = false;
}

/** applied: the files were changed; applicable: a check found that the patch applies; conflicts: a check found conflicts. */
const OUTCOMES = ['applied', 'applicable', 'conflicts'] as const;

export class PatchedFileCount {
  @Text() path!: string;
  @Integer() added!: number;
  @Integer() removed!: number;
}

/** The files of a patch. */
export class AppliedPatch {
  @OneOf(OUTCOMES) outcome!: (typeof OUTCOMES)[number];
  @ListOf(() => PatchedFileCount) files!: PatchedFileCount[];
  @Integer('Number of all files') total!: number;
  @Text('Call that undoes the change', { optional: true }) recover_with?: string;
}

/**
 * Time limit in milliseconds for writing the files. A cancelled call does not stop the writing, because a stop could leave only a
 * part of the patch applied.
 */
const WRITE_MS = 60_000;

/**
 * Applies a patch to the work tree, or to the index and the work tree: all of the patch, or nothing. Only with `three_way`,
 * conflicts may remain in the files. The patch may only change regular files of this work tree.
 *
 * @throws ToolError PATCH_FAILED, TOO_LARGE, INVALID_ARGUMENTS, INVALID_PATH, PATH_OUTSIDE_ROOTS, CONFLICT with files and next
 * steps, NO_WORK_TREE, LOCKED
 */
export async function gitApply(repository: Repository, input: GitApplyInput): Promise<Result> {
  requireWorkTree(repository);
  const patch = encodePatch(repository, input.patch);
  return formatApplied(
    await repository.withWriteLock(async () => {
      const files = await readPatchedFiles(repository, patch, input.reverse);
      if (input.three_way) await requireUnchanged(repository, files);
      const outcome = await apply(repository, { patch, files, input });
      const { maxEntries, maxBytes } = repository.limits;
      const shown = takeFittingItems(files.slice(0, maxEntries), maxBytes).map((file) => ({ ...file }));
      return { outcome, files: shown, total: files.length, ...(outcome === 'applied' && { recover_with: formatUndo(input) }) };
    }),
  );
}

/** @throws ToolError TOO_LARGE */
function encodePatch({ limits }: Repository, given: string): Buffer {
  // Models often omit the last line break, without which git rejects the last hunk. Therefore a missing line break is added.
  const patch = Buffer.from(given.endsWith('\n') ? given : `${given}\n`);
  if (patch.length <= limits.maxPatchBytes) return patch;
  throw new ToolError('TOO_LARGE', `the patch has more than ${limits.maxPatchBytes} bytes`, {
    hint: 'apply the patch in parts; only the operator can raise the limit, with --max-patch-bytes',
  });
}

/**
 * Requires that the files are as in HEAD. A three-way merge may leave conflict markers in these files, which git_restore then
 * removes without a loss.
 *
 * @throws ToolError CONFLICT
 */
async function requireUnchanged(repository: Repository, files: readonly PatchedFile[]): Promise<void> {
  const { entries } = await readUncommittedChanges(
    repository,
    files.map(({ path }) => path),
  );
  const paths = entries.map(({ path }) => path);
  if (paths.length === 0) return;
  throw new ToolError('CONFLICT', `files of the patch have uncommitted changes: ${formatFirst(paths.map(formatPath))}`, {
    hint: 'commit the changes first, or stash them with git_stash_push',
    data: { files: paths.slice(0, repository.limits.maxEntries) },
  });
}

interface PatchCall {
  readonly patch: Buffer;
  readonly files: readonly PatchedFile[];
  readonly input: GitApplyInput;
}

async function apply(repository: Repository, { patch, files, input }: PatchCall): Promise<AppliedPatch['outcome']> {
  const { check, index, three_way, reverse } = input;
  const place = three_way ? ['--3way'] : index ? ['--index'] : [];
  const flags = ['--whitespace=nowarn', '--no-ignore-whitespace', ...place, ...(reverse ? ['--reverse'] : [])];
  const options = { input: patch, codes: [0, 1, 128] };
  const checked = await repository.read(['apply', '--check', ...flags, '-'], options);
  const failure = listErrors(checked);
  if (checked.code !== 0) throw failure.includes('.lock') ? explainGitFailure('apply', checked) : patchError(failure, three_way);
  if (check) return / with conflicts\.$/m.test(checked.stderr) ? 'conflicts' : 'applicable';
  repository.signal.throwIfAborted();
  const writing = repository.withSignal(AbortSignal.timeout(WRITE_MS));
  const written = await writing.write(['apply', ...flags, '-'], options);
  if (written.code === 0) return 'applied';
  const paths = new Set(files.map(({ path }) => path));
  const unmerged = (await listUnmerged(writing)).filter(({ path }) => paths.has(path));
  throw unmerged.length > 0 ? conflictError(unmerged, undefined) : explainGitFailure('apply', written);
}

function patchError(reason: string, isMerged: boolean): ToolError {
  return new ToolError('PATCH_FAILED', `the patch does not apply, and nothing was changed: ${reason}`, {
    hint: isMerged
      ? 'read the files again, and write the patch for their present content'
      : 'read the files again, and write the patch for their present content, or set three_way',
  });
}

function formatUndo({ index, three_way, reverse }: GitApplyInput): string {
  return `git_apply with the same patch and ${reverse ? 'reverse: false' : 'reverse: true'}${index || three_way ? ', index: true' : ''}`;
}

const TEXTS: Readonly<Record<AppliedPatch['outcome'], string>> = {
  applied: 'Applied the patch to',
  applicable: 'The patch applies to',
  conflicts: 'With three_way, the patch applies, but with conflicts, to',
};

function formatApplied(applied: AppliedPatch): Result {
  const { outcome, files, total, recover_with } = applied;
  const lines = files.map(({ path, added, removed }) => `${formatPath(path)} +${added} -${removed}`);
  return Result.of(
    applied,
    [
      `${TEXTS[outcome]} ${formatCount(total, 'file')}`,
      ...lines,
      ...(total > files.length ? [`… and ${total - files.length} more`] : []),
      ...(recover_with === undefined ? [] : [`To undo: ${recover_with}`]),
    ].join('\n'),
  );
}
