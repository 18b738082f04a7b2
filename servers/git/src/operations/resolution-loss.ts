import type { Loss } from '../confirm/loss.ts';
import { keepBefore, recovering } from '../repository/keep-changes.ts';
import { requireHead, unmergedIn } from '../repository/joining.ts';
import type { Operation } from '../repository/operation.ts';
import { pathList } from '../repository/path-bytes.ts';
import type { Repository } from '../repository/repository.ts';
import { resolvedWork } from '../repository/resolved-work.ts';
import { counted } from '../text/counted.ts';

/** What was resolved by hand and would go; `undefined` if nothing was. */
export async function resolutionLoss(
  repository: Repository,
  operation: Operation | undefined,
  question: string,
): Promise<Loss | undefined> {
  const [{ oid }, { files, fingerprint }] = await Promise.all([requireHead(repository), resolvedWork(repository, operation)]);
  if (files.length === 0) return undefined;
  return {
    question: `${question}, and discard what was resolved in ${counted(files.length, 'file')}?`,
    lost: files,
    recoverWith: `${recovering('KEPT', namedOf(files))}, where KEPT is the commit that the result will name`,
    seen: { head: oid, operation: operation?.kind ?? '', resolved: fingerprint },
  };
}

/** More files than these are not named one by one. */
const MAX_NAMED = 20;

function namedOf(files: readonly string[]): readonly string[] {
  return files.length > MAX_NAMED ? ['.'] : files;
}

/**
 * Keeps what was resolved, as the work tree has it.
 *
 * @returns the command that brings it back; none where nothing but deletions was resolved
 */
export async function keepResolved(repository: Repository, loss: Loss | undefined): Promise<string | undefined> {
  if (loss === undefined) return undefined;
  const { oid: head } = await requireHead(repository);
  const kept = await keepBefore(repository, { head, message: 'before what was resolved was discarded', files: loss.lost });
  const infos = await Promise.all(loss.lost.map((file) => repository.objectInfo(`${kept}:${file}`)));
  const there = loss.lost.filter((_, position) => infos[position] !== undefined);
  return there.length === 0 ? undefined : recovering(kept, namedOf(there));
}

/**
 * Makes the work tree what the index has of the files that are given up: git would refuse to go back over a file that was staged and
 * then edited again.
 */
export async function discardEdits(repository: Repository, loss: Loss | undefined): Promise<void> {
  if (loss === undefined) return;
  const unmerged = new Set((await unmergedIn(repository)).map(({ path }) => path));
  const files = loss.lost.filter((file) => !unmerged.has(file));
  if (files.length === 0) return;
  // Files that the index has no more are no failure.
  const command = ['checkout-index', '--force', '--index', '--quiet', '-z', '--stdin'];
  await repository.write(command, { input: pathList(files), codes: [0, 1, 128] });
}
