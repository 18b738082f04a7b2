import { ToolError } from '../results/tool-error.ts';
import { formatQuestion, summarizeLoss, type Loss } from './loss.ts';

/** Instruction for the model after the user declined. */
export const UNLESS_REQUESTED = 'do not try again, in this or another way, unless the user requests it';

/** Hosts without a user or without dialogues decline or cancel at once. The server cannot detect this; the operator can. */
const NO_DIALOGUE =
  'If the user saw no dialogue, inform the user that the operator of this server can allow confirmation by token (--confirm token).';

const REASONS = {
  decline: 'the user declined; nothing was done',
  cancel: 'the user closed the dialogue without confirming; nothing was done',
  before: 'the user declined this before; nothing was done, and no token confirms it',
} as const;

/**
 * Returns the error for an operation that the user declined: by a button, by closing the dialogue, or before a token was used.
 */
export function declined(reason: keyof typeof REASONS, loss: Loss): ToolError {
  return new ToolError('DECLINED', `${REASONS[reason]}. The question was: ${formatQuestion(loss)}`, {
    hint: `${UNLESS_REQUESTED}${reason === 'before' ? '' : `. ${NO_DIALOGUE}`}`,
    data: summarizeLoss(loss),
  });
}
