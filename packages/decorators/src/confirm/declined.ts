import { ToolError } from '../errors.ts';
import { questionOf, shownLoss, type Loss } from './loss.ts';

/** What the model does after the user declined. */
export const UNLESS_REQUESTED = 'do not try again, in this or another way, unless the user requests it';

/** Hosts that have no user, or show their user no dialogue, decline or cancel at once: only the operator can know that. */
const NO_DIALOGUE =
  'If the user saw no dialogue, tell the user that the operator of this server can allow tokens (--confirm token).';

const REASONS = {
  decline: 'the user declined; nothing was done',
  cancel: 'the user closed the dialogue without confirming; nothing was done',
  before: 'the user declined this before; nothing was done, and no token confirms it',
} as const;

/** The error for an operation that the user declined: by a button, by closing the dialogue, or before a token was used. */
export function declined(reason: keyof typeof REASONS, loss: Loss): ToolError {
  return new ToolError('DECLINED', `${REASONS[reason]}. The question was: ${questionOf(loss)}`, {
    hint: `${UNLESS_REQUESTED}${reason === 'before' ? '' : `. ${NO_DIALOGUE}`}`,
    data: shownLoss(loss),
  });
}
