import { Result } from '../results/result.ts';
import { UNLESS_REQUESTED } from './declined.ts';
import { NO_LOSS, formatQuestion, isPreview, summarizeLoss, type Preview } from './loss.ts';

/** Returns the result of a call that may be a dry run: the preview with the way to confirm it, or the result of `done`. */
export function confirmedResult<Outcome>(outcome: Outcome | Preview, done: (outcome: Outcome) => Result): Result {
  if (!isPreview(outcome)) return done(outcome);
  const { preview, confirm_token } = outcome;
  const next = describeNextStep(outcome);
  const facts = { dry_run: true, ...summarizeLoss(preview), ...(confirm_token !== undefined && { confirm_token }), next };
  const text = `Dry run: nothing was done.\n${formatQuestion(preview)}\n${next}`;
  return Result.of(facts, text, { forView: preview.forView ?? (() => ({ lost: preview.lost.slice(0, MAX_FOR_VIEW) })) });
}

/** Maximum number of lost items that a view gets; the text has 20. */
const MAX_FOR_VIEW = 1000;

function describeNextStep({ preview, confirmed_by, confirm_token }: Preview): string {
  if (preview === NO_LOSS) return 'To proceed, repeat the call without dry_run';
  if (confirmed_by === 'declined') return `The user declined this, so there is no confirm_token; ${UNLESS_REQUESTED}`;
  if (confirmed_by === 'dialogue')
    return 'To proceed, repeat the call without dry_run; the client then asks the user to confirm it';
  return `If the user agrees, repeat the call with confirm_token: ${confirm_token ?? ''}`;
}
