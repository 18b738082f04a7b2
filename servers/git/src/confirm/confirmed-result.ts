import { Result } from '@org/mcp-decorators';

import { isPreview, questionOf, shownLoss, type Preview } from './loss.ts';

/** The result of a call that may be a dry run: the preview and its token, or what `done` makes of the outcome. */
export function confirmedResult<Outcome>(outcome: Outcome | Preview, done: (outcome: Outcome) => Result): Result {
  if (!isPreview(outcome)) return done(outcome);
  const { preview, confirm_token } = outcome;
  return Result.of({ ...shownLoss(preview), confirm_token }, `Dry run.\n${questionOf(preview)}\nconfirm_token: ${confirm_token}`);
}
