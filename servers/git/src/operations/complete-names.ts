import type { Repository } from '../repository/repository.ts';
import { decodeList } from '../repository/parse/fields.ts';
import { refNames, resolveCommit } from '../repository/revision.ts';

/** As many as are worth ranking. */
const MAX_PATHS = 20_000;

/** Branches and tags, and HEAD. */
export async function revisionCandidates(repository: Repository): Promise<readonly string[]> {
  return ['HEAD', ...(await refNames(repository))];
}

/** The files of a commit. */
export async function pathCandidates(repository: Repository, revision: string): Promise<readonly string[]> {
  const oid = await resolveCommit(repository, revision);
  const { stdout } = await repository.read(['ls-tree', '-r', '-z', '--name-only', '--full-tree', oid], { maxBytes: 4_194_304 });
  return decodeList(stdout).slice(0, MAX_PATHS);
}
