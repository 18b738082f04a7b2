import { createHash } from 'node:crypto';

import { ToolError, type RequestContext } from '@org/mcp-decorators';
import { IsBoolean } from 'class-validator';

import type { Repository } from '../repository/repository.ts';
import { visibleName } from '../text/visible.ts';
import type { ConfirmInput } from './confirm-input.ts';
import type { Loss, Preview } from './loss.ts';

/** More lines of what would be lost are counted, not shown. */
const MAX_SHOWN = 20;

/** The form that the user is asked to fill in. */
export class Confirmation {
  @IsBoolean()
  confirm!: boolean;
}

/** A call that may lose something. */
export interface Risk<Input extends ConfirmInput> {
  readonly repository: Repository;
  readonly input: Input;
  readonly context: RequestContext;
}

/**
 * Does what would lose something only if the user, or a token of a dry run, confirms just that; a dry run does nothing.
 *
 * `lookUp` runs again when the operation begins, with nobody else of this server at work in the repository: what was confirmed has
 * to be what is there. It has no side effects. Where it answers `undefined` nothing would be lost, and nobody is asked.
 *
 * @throws ToolError CONFIRMATION_REQUIRED if nobody could be asked or the user declined, PRECONDITION_FAILED if what was seen
 * is another by now, and what the two functions throw
 */
export async function whenConfirmed<Input extends ConfirmInput, Outcome>(
  { repository, input, context }: Risk<Input>,
  lookUp: () => Promise<Loss | undefined>,
  act: (loss: Loss | undefined) => Promise<Outcome>,
): Promise<Outcome | Preview> {
  const loss = await lookUp();
  const mark = markOf(input, loss);
  if (input.dry_run) return { preview: loss ?? NOTHING, confirm_token: await context.seal(mark) };
  if (input.confirm_token !== undefined) await requireToken(input.confirm_token, mark, context);
  else if (loss !== undefined) await ask(loss, mark, context);
  return repository.alone(async () => {
    const now = await lookUp();
    if (markOf(input, now) !== mark) throw outdated();
    return act(now);
  });
}

const NOTHING: Loss = { question: 'Nothing would be lost', lost: [], seen: {} };

async function requireToken(token: string, mark: string, context: RequestContext): Promise<void> {
  if ((await context.unseal(token)) !== mark) throw outdated();
}

async function ask(loss: Loss, mark: string, context: RequestContext): Promise<void> {
  const text = questionOf(loss);
  if (context.client.capabilities.elicitation === undefined) throw unconfirmed(`this has to be confirmed. ${text}`, loss);
  // The key names what was seen: the answer to a question about another state is not taken for this one's.
  const answer = await context.elicit(`confirm-${mark}`, text, Confirmation);
  if (answer.action !== 'accept' || !answer.content.confirm)
    throw unconfirmed('the user did not confirm it; nothing was done', loss);
}

/** Stands for the arguments and for all that was seen. */
function markOf(input: ConfirmInput, loss: Loss | undefined): string {
  const { dry_run: _, confirm_token: __, ...given } = input;
  const seen = loss === undefined ? [] : Object.entries(loss.seen).sort();
  return createHash('sha256')
    .update(JSON.stringify([Object.entries(given).sort(), seen, loss?.lost]))
    .digest('base64url');
}

function questionOf({ question, lost, recoverWith }: Loss): string {
  const shown = lost.slice(0, MAX_SHOWN).map((line) => `- ${visibleName(line)}`);
  return [
    visibleName(question),
    ...shown,
    ...(lost.length > MAX_SHOWN ? [`- and ${lost.length - MAX_SHOWN} more`] : []),
    recoverWith === undefined ? 'This cannot be undone.' : `To undo it: ${visibleName(recoverWith)}`,
  ].join('\n');
}

function unconfirmed(message: string, { question, lost, recoverWith }: Loss): ToolError {
  return new ToolError('CONFIRMATION_REQUIRED', message, {
    hint: 'call again with dry_run: true, show the user what would be lost, then pass the confirm_token it returns',
    data: { question, lost: lost.slice(0, MAX_SHOWN), total: lost.length, recover_with: recoverWith },
  });
}

function outdated(): ToolError {
  return new ToolError('PRECONDITION_FAILED', 'the repository or the arguments are not what was confirmed; nothing was done', {
    hint: 'look again with dry_run: true',
  });
}
