import { createHash } from 'node:crypto';

import { ToolError } from '../errors.ts';
import type { RequestContext } from '../runtime/request-context.ts';
import { NO_LOSS, questionOf, shownLoss, type Loss, type Preview } from './loss.ts';

/** What a tool takes that may lose something, besides its other arguments. */
export interface Confirmable {
  /** Only tell what would be lost. */
  readonly dry_run: boolean;
  /** From a dry run that the user has seen. */
  readonly confirm_token?: string;
}

/** A call that may lose something, and what was looked up for it. */
export interface Risk {
  readonly input: Confirmable;
  readonly context: RequestContext;
  /** What would be lost; `undefined` for nothing, of which nobody is asked. */
  readonly loss: Loss | undefined;
  /** What the decision rests on besides the arguments: what is confirmed is confirmed for just that. */
  readonly state: string;
  /** What the state is of, for messages: `the repository`. */
  readonly subject: string;
}

/** The form that the user is asked to fill in. */
const FORM = {
  type: 'object',
  properties: { confirm: { type: 'boolean', description: 'Do it' } },
  required: ['confirm'],
} as const;

/**
 * Answers a dry run, or has the call confirmed: by a token of a dry run, or else by the user. Resolves to the preview of a dry run,
 * and to `undefined` if it may be done.
 *
 * A token confirms one call, even if that call fails afterwards. See {@link RequestContext.sealOnce} for several processes.
 *
 * As the call is run again with the user's answer, what stands before must have no side effects; and as the user takes time,
 * what is done has to make sure that the state still is the one that was confirmed, and otherwise throw {@link outdated}.
 *
 * @throws ToolError CONFIRMATION_REQUIRED if the client cannot ask its user or the user declined, PRECONDITION_FAILED if the token
 * was made for other arguments or another state, was used before or is from another process, INVALID_ARGUMENTS for any other text
 */
export async function confirm(risk: Risk): Promise<Preview | undefined> {
  const { input, context, loss } = risk;
  const mark = markOf(risk);
  if (input.dry_run) return { preview: loss ?? NO_LOSS, confirm_token: await context.sealOnce(mark) };
  if (input.confirm_token !== undefined) await requireToken(input.confirm_token, mark, risk);
  else if (loss !== undefined) await ask(loss, mark, context);
  return undefined;
}

/** Something is not what was confirmed. */
export function outdated(subject: string, data?: Readonly<Record<string, unknown>>): ToolError {
  return new ToolError('PRECONDITION_FAILED', `${subject} or the arguments are not what was confirmed; nothing was done`, {
    hint: 'look again with dry_run: true',
    ...(data !== undefined && { data }),
  });
}

async function requireToken(token: string, mark: string, { context, subject }: Risk): Promise<void> {
  await context.unsealOnce(token, {
    subject: 'the confirm_token',
    hint: 'call with dry_run: true to get a new one',
    check: (sealed) => {
      if (sealed !== mark) throw outdated(subject);
    },
  });
}

async function ask(loss: Loss, mark: string, context: RequestContext): Promise<void> {
  const text = questionOf(loss);
  if (!canBeAsked(context)) throw unconfirmed(`this has to be confirmed. ${text}`, loss);
  // The key identifies the state that the user saw: answers about another state are ignored. Sample rows in the text may differ.
  const answer = await context.elicit(`confirm-${mark}`, text, FORM, { identity: mark });
  if (answer.action !== 'accept' || answer.content['confirm'] !== true)
    throw unconfirmed('the user did not confirm it; nothing was done', loss);
}

/** Forms are what was meant before there were modes; later they are named. */
function canBeAsked({ client }: RequestContext): boolean {
  const { elicitation } = client.capabilities;
  return elicitation !== undefined && (!('url' in elicitation) || 'form' in elicitation);
}

function markOf({ input, state }: Risk): string {
  const { dry_run: _, confirm_token: __, ...given } = input;
  const sorted = Object.entries(given).sort(([one], [other]) => (one < other ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([sorted, state]))
    .digest('base64url');
}

function unconfirmed(message: string, loss: Loss): ToolError {
  return new ToolError('CONFIRMATION_REQUIRED', message, {
    hint: 'call again with dry_run: true, show the user what would be lost, then pass the confirm_token it returns',
    data: shownLoss(loss),
  });
}
