import type { Repository } from '../repository.ts';

/**
 * Creates a reference `refs/mcp-backup/<time>-<first 8 digits of oid>` that keeps a commit reachable.
 *
 * @param oid a full object name
 * @returns the name of the reference
 */
export async function backUpCommit(repository: Repository, oid: string): Promise<string> {
  const time = new Date().toISOString().replaceAll(/[:.]/g, '-');
  const ref = `refs/mcp-backup/${time}-${oid.slice(0, 8)}`;
  await repository.write(['update-ref', '--create-reflog', '-m', 'backup before a change that git cannot undo', ref, oid]);
  return ref;
}
