import type { Repository } from './repository.ts';
import { isOid } from './revision.ts';

/** Where HEAD is. */
export interface Head {
  /** Short name; `undefined` on a detached HEAD. */
  readonly branch: string | undefined;
  /** `undefined` before the first commit. */
  readonly oid: string | undefined;
}

export async function headOf(repository: Repository): Promise<Head> {
  const [symbolic, commit] = await Promise.all([
    repository.read(['symbolic-ref', '--quiet', '--short', 'HEAD'], { codes: [0, 1] }),
    repository.read(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], { codes: [0, 1, 128] }),
  ]);
  const branch = symbolic.stdout.toString('utf8').replace(/\n$/, '');
  const oid = commit.stdout.toString('utf8').trim();
  return { branch: branch === '' ? undefined : branch, oid: isOid(oid) ? oid : undefined };
}
