import { configureHooks } from '../hooks.ts';
import { backUpCommit } from '../refs/backup-ref.ts';
import { readHead } from '../refs/head.ts';
import type { Repository } from '../repository.ts';

/**
 * Switches HEAD to a branch or a commit. Fails if local changes or ignored files would be overwritten. Commits that only a detached
 * HEAD contains are backed up.
 *
 * @param how arguments of `git switch`, such as `['--detach', oid]`
 */
export async function switchHead(repository: Repository, how: readonly string[]): Promise<void> {
  const { branch, oid } = await readHead(repository);
  if (branch === undefined && oid !== undefined && (await isLoose(repository, oid))) await backUpCommit(repository, oid);
  // `git checkout` is not used: if no branch has this name, it would treat the name as a path and discard the changes to that file.
  const command = ['switch', '--quiet', '--no-guess', '--no-overwrite-ignore', '--no-recurse-submodules', ...how];
  await repository.write(command, configureHooks(repository.policy));
}

/** Whether no reference contains a commit. References of the bisect in progress do not count, because they are removed later. */
async function isLoose(repository: Repository, oid: string): Promise<boolean> {
  const others = ['--exclude=refs/bisect/*', '--glob=refs/*'];
  const { stdout } = await repository.read(['rev-list', '--max-count=1', oid, '--not', ...others, '--']);
  return stdout.length > 0;
}
