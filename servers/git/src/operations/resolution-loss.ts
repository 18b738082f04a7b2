import type { Loss } from '../confirm/loss.ts';
import { requireHead, unmergedIn } from '../repository/joining.ts';
import type { Operation } from '../repository/operation.ts';
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
    seen: { head: oid, operation: operation?.kind ?? '', resolved: fingerprint },
  };
}

/**
 * Makes the work tree what the index has of the files that are given up: git would refuse to go back over a file that was staged and
 * then edited again.
 */
export async function discardEdits(repository: Repository, loss: Loss | undefined): Promise<void> {
  if (loss === undefined) return;
  const unmerged = new Set((await unmergedIn(repository)).map(({ path }) => path));
  const input = loss.lost.filter((file) => !unmerged.has(file)).map((file) => `${file}\0`);
  if (input.length === 0) return;
  // Files that the index has no more are no failure.
  const command = ['checkout-index', '--force', '--index', '--quiet', '-z', '--stdin'];
  await repository.write(command, { input: input.join(''), codes: [0, 1, 128] });
}
