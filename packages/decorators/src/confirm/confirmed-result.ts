import { Result } from '../result.ts';
import { isPreview, NO_LOSS, questionOf, shownLoss, type Preview } from './loss.ts';

/** The result of a call that may be a dry run: the preview and its token, or what `done` makes of the outcome. */
export function confirmedResult<Outcome>(outcome: Outcome | Preview, done: (outcome: Outcome) => Result): Result {
  if (!isPreview(outcome)) return done(outcome);
  const { preview, confirm_token } = outcome;
  const next =
    preview === NO_LOSS
      ? 'To do it: the same call without dry_run'
      : `If the user agrees, the same call with confirm_token: ${confirm_token}`;
  return Result.of({ ...shownLoss(preview), confirm_token }, `Dry run: nothing was done.\n${questionOf(preview)}\n${next}`);
}
