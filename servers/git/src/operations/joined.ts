import { headOf } from '../repository/head.ts';
import type { Repository } from '../repository/repository.ts';
import type { JoinedHistory, JoinOutcome } from './joined-history.ts';

/**
 * What became of HEAD.
 *
 * @param before a full object name
 * @param outcomeOf what it is called, by where HEAD is now
 */
export async function joined(
  repository: Repository,
  before: string,
  outcomeOf: (after: string) => JoinOutcome,
): Promise<JoinedHistory> {
  const { oid: after = before, branch } = await headOf(repository);
  return {
    outcome: outcomeOf(after),
    ...(branch !== undefined && { branch }),
    before,
    after,
    ...(after !== before && { recover_with: `git reset --keep ${before}` }),
  };
}
