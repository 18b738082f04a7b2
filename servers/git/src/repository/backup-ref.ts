import type { Repository } from './repository.ts';

/**
 * Keeps a commit reachable under `refs/mcp-backup/<time>`, before what makes it unreachable.
 *
 * @param oid a full object name
 * @returns the name of the reference
 */
export async function backUp(repository: Repository, oid: string): Promise<string> {
  const time = new Date().toISOString().replaceAll(/[:.]/g, '-');
  const ref = `refs/mcp-backup/${time}-${oid.slice(0, 8)}`;
  await repository.write(['update-ref', '--create-reflog', '-m', 'kept before a change that could not be undone', ref, oid]);
  return ref;
}
