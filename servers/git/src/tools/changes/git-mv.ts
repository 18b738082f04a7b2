import { lstat, mkdir } from 'node:fs/promises';

import { confirmedResult, Result, Text, ToolError, type RequestContext } from '@org/mcp-decorators';

import { encodePath, formatPath, listParentDirectories } from '../../repository/parse/path-bytes.ts';
import { readHead } from '../../repository/refs/head.ts';
import type { Repository } from '../../repository/repository.ts';
import { requireNoFilesBehindLinks } from '../../repository/work-tree/behind-links.ts';
import { isInPlace, resolvePath, toDiskPath, requireWorkTree } from '../../repository/work-tree/paths.ts';
import { backUpChanges } from '../../repository/work-tree/stash-commit.ts';
import { listTrackedFiles } from '../../repository/work-tree/tracked-files.ts';
import { stampWorkTreeFiles } from '../../repository/work-tree/uncommitted.ts';
import { quoteInput } from '../../text/visible.ts';
import { ConfirmInput } from '../confirm/confirm-input.ts';
import { runWhenConfirmed, type Loss } from '../confirm/run-when-confirmed.ts';
import { formatRecovery } from '../results/result-text.ts';
import { formatUndo, KEPT, restoreFiles } from '../results/undo.ts';

export class GitMvInput extends ConfirmInput {
  @Text('Tracked file or directory') source!: string;
  @Text('New path; missing directories are created') destination!: string;
}

/** A moved file or directory. */
export interface MovedFile {
  readonly source: string;
  readonly destination: string;
  /** The tool call or git command that restores the overwritten file. */
  readonly recover_with?: string;
}

/**
 * Moves a tracked file or directory. Overwriting another file requires confirmation, and the overwritten file is kept in a backup commit.
 *
 * @throws ToolError PATH_NOT_FOUND, PATH_OUTSIDE_ROOTS, INVALID_PATH, CONFIRMATION_REQUIRED, PRECONDITION_FAILED, NO_WORK_TREE, LOCKED
 */
export async function gitMv(repository: Repository, input: GitMvInput, context: RequestContext): Promise<Result> {
  requireWorkTree(repository);
  const source = resolvePath(repository, input.source);
  const destination = resolvePath(repository, input.destination);
  await requireMovable(repository, source);
  await requireDestination(repository, destination);
  const outcome = await runWhenConfirmed(
    { repository, input, context },
    () => findLoss(repository, source, destination),
    async (loss) => {
      const { oid: head } = await readHead(repository);
      const kept =
        loss === undefined
          ? undefined
          : await backUpChanges(repository, { head, message: 'before a file was replaced', files: [destination] });
      await requireMovable(repository, source);
      await requireDestination(repository, destination);
      const directory = listParentDirectories(destination).at(-1);
      if (directory !== undefined) await mkdir(toDiskPath(repository, directory), { recursive: true });
      await repository.write(['mv', ...(loss === undefined ? [] : ['--force']), '--', source, destination]);
      return {
        source,
        destination,
        ...(kept !== undefined && { recover_with: formatUndo(repository, [restoreFiles(kept, [destination])]) }),
      };
    },
  );
  return confirmedResult(outcome, formatMoved);
}

async function findLoss(repository: Repository, source: string, destination: string): Promise<Loss | undefined> {
  const factsOf = (name: string) => lstat(toDiskPath(repository, name)).catch(() => undefined);
  const [moved, there] = await Promise.all([factsOf(source), factsOf(destination)]);
  // On a case-insensitive file system, both names may refer to the same file, so nothing is overwritten.
  if (there === undefined || (moved?.ino === there.ino && moved.dev === there.dev)) return undefined;
  if (there.isDirectory())
    throw new ToolError('INVALID_PATH', `${quoteInput(destination)} is an existing directory`, {
      hint: 'add the file name to the destination',
    });
  return {
    question: `Replace ${destination} with ${source}?`,
    lost: [destination],
    recoverWith: formatUndo(repository, [restoreFiles(KEPT, [destination])]),
    seen: { destination: await stampWorkTreeFiles(repository, [destination]) },
  };
}

async function requireMovable(repository: Repository, source: string): Promise<void> {
  const tracked = await listTrackedFiles(repository, [source]);
  if (source === '.') throw new ToolError('INVALID_PATH', 'the top of the repository cannot be moved');
  if (tracked.some(({ isSubmodule }) => isSubmodule))
    throw new ToolError('INVALID_PATH', `${quoteInput(source)} contains a submodule, which this tool does not move`);
  await requireNoFilesBehindLinks(
    repository,
    tracked.map((file) => file.path),
  );
}

/** Requires that the destination is in this work tree: not behind a link, in a nested repository, or in a git directory. */
async function requireDestination(repository: Repository, destination: string): Promise<void> {
  const parts = encodePath(destination).toString('latin1').split('/');
  if (destination === '.' || parts.some((part) => part.toLowerCase() === '.git'))
    throw new ToolError('INVALID_PATH', `${quoteInput(destination)} is not a valid destination`);
  for (const directory of listParentDirectories(destination)) {
    const place = toDiskPath(repository, directory);
    const facts = await lstat(place).catch(() => undefined);
    if (facts === undefined) return;
    const isOwn = facts.isDirectory() && (await isInPlace(repository, directory));
    if (!isOwn || (await lstat(Buffer.concat([place, Buffer.from('/.git')])).catch(() => undefined)) !== undefined)
      throw new ToolError(
        'INVALID_PATH',
        `${quoteInput(destination)} is below a symbolic link or a file, or in another repository`,
      );
  }
}

function formatMoved(moved: MovedFile): Result {
  return formatRecovery(moved, `Moved ${formatPath(moved.source)} to ${formatPath(moved.destination)}`);
}
