import { listUnmerged } from '../../repository/integrate/conflicts.ts';
import { requireHead } from '../../repository/integrate/idle-head.ts';
import type { Operation } from '../../repository/integrate/operation.ts';
import { findResolvedWork } from '../../repository/integrate/resolved-work.ts';
import { encodePathList } from '../../repository/parse/path-bytes.ts';
import type { Repository } from '../../repository/repository.ts';
import { backUpChanges } from '../../repository/work-tree/stash-commit.ts';
import { formatCount } from '../../text/format.ts';
import type { Loss } from '../confirm/run-when-confirmed.ts';
import { formatUndo, KEPT, restoreFiles, type UndoStep } from '../results/undo.ts';

/** Returns the manually resolved files that would be lost, or `undefined` if nothing was resolved. */
export async function findResolutionLoss(
  repository: Repository,
  operation: Operation | undefined,
  question: string,
): Promise<Loss | undefined> {
  const [{ oid }, { files, fingerprint }] = await Promise.all([requireHead(repository), findResolvedWork(repository, operation)]);
  if (files.length === 0) return undefined;
  return {
    question: `${question}, and discard the resolved conflicts of ${formatCount(files.length, 'file')}?`,
    lost: files,
    recoverWith: formatUndo(repository, [restoreFiles(KEPT, nameFiles(files))]),
    seen: { head: oid, operation: operation?.kind ?? '', resolved: fingerprint },
  };
}

/** Maximum number of files that a recovery command names; for more files, the command names the whole work tree. */
const MAX_NAMED = 20;

function nameFiles(files: readonly string[]): readonly string[] {
  return files.length > MAX_NAMED ? ['.'] : files;
}

/**
 * Keeps the resolved files of the work tree in a backup commit.
 *
 * @returns the step that restores the files; `undefined` without a loss, or if all resolved files were deleted
 */
export async function keepResolved(repository: Repository, loss: Loss | undefined): Promise<UndoStep | undefined> {
  if (loss === undefined) return undefined;
  const { oid: head } = await requireHead(repository);
  const kept = await backUpChanges(repository, { head, message: 'before resolved files were discarded', files: loss.lost });
  const infos = await Promise.all(loss.lost.map((file) => repository.objectInfo(`${kept}:${file}`)));
  const there = loss.lost.filter((_, position) => infos[position] !== undefined);
  return there.length === 0 ? undefined : restoreFiles(kept, nameFiles(there));
}

/**
 * Restores the discarded files from the index, because git refuses to reset a file that was edited after it was staged.
 */
export async function discardEdits(repository: Repository, loss: Loss | undefined): Promise<void> {
  if (loss === undefined) return;
  const unmerged = new Set((await listUnmerged(repository)).map(({ path }) => path));
  const files = loss.lost.filter((file) => !unmerged.has(file));
  if (files.length === 0) return;
  // A file that is no longer in the index is not an error.
  const command = ['checkout-index', '--force', '--index', '--quiet', '-z', '--stdin'];
  await repository.write(command, { input: encodePathList(files), codes: [0, 1, 128] });
}
