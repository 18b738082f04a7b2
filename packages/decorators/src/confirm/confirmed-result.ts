import { Result } from '../result.ts';
import { UNLESS_REQUESTED } from './declined.ts';
import { isPreview, NO_LOSS, questionOf, shownLoss, type Preview } from './loss.ts';

/** The result of a call that may be a dry run: the preview and how to confirm it, or what `done` makes of the outcome. */
export function confirmedResult<Outcome>(outcome: Outcome | Preview, done: (outcome: Outcome) => Result): Result {
  if (!isPreview(outcome)) return done(outcome);
  const { preview, confirm_token } = outcome;
  const next = nextOf(outcome);
  const facts = { dry_run: true, ...shownLoss(preview), ...(confirm_token !== undefined && { confirm_token }), next };
  return Result.of(facts, `Dry run: nothing was done.\n${questionOf(preview)}\n${next}`);
}

function nextOf({ preview, confirmed_by, confirm_token }: Preview): string {
  if (preview === NO_LOSS) return 'To do it: the same call without dry_run';
  if (confirmed_by === 'declined') return `The user declined this, so there is no confirm_token; ${UNLESS_REQUESTED}`;
  if (confirmed_by === 'dialogue') return 'To do it: the same call without dry_run; the client then asks the user to confirm it';
  return `If the user agrees, the same call with confirm_token: ${confirm_token ?? ''}`;
}
