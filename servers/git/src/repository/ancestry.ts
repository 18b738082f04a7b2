import type { Repository } from './repository.ts';

/** Whether all of one commit's history is part of another's, both full object names; not so for a commit that is not here. */
export async function isAncestor(repository: Repository, one: string, other: string): Promise<boolean> {
  const { code } = await repository.read(['merge-base', '--is-ancestor', one, other], { codes: [0, 1, 128] });
  return code === 0;
}
