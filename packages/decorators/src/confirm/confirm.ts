import { createHash } from 'node:crypto';

import { ToolError } from '../errors.ts';
import type { RequestContext } from '../runtime/request-context.ts';
import { declined } from './declined.ts';
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
 * Answers a dry run, or has the call confirmed: by the user, or by a token of a dry run if the client cannot ask its user or the
 * operator allows tokens ({@link ServerFactoryOptions.confirm}). Resolves to the preview of a dry run, and to `undefined` if the
 * call may proceed.
 *
 * A client that can ask gets no token: if the user declines, only the user can confirm the operation, when another call asks again.
 * For a day, no token confirms what the user declined for the same principal, session or connection. A call is the same
 * operation if the tool and the state are the same, and the arguments or the question are. This memory belongs to the process.
 *
 * A token confirms one call, even if that call fails afterwards. See {@link RequestContext.sealOnce} for several processes.
 *
 * As the call is run again with the user's answer, what stands before must have no side effects; and as the user takes time,
 * what is done has to make sure that the state still is the one that was confirmed, and otherwise throw {@link outdated}.
 *
 * @throws ToolError DECLINED if the user declined or closed the dialogue, CONFIRMATION_REQUIRED if a token is needed,
 * PRECONDITION_FAILED if the token was made for other arguments or another state, was used before or is from another process,
 * INVALID_ARGUMENTS for any other text
 */
export async function confirm(risk: Risk): Promise<Preview | undefined> {
  const { input, context, loss } = risk;
  const mark = markOf(risk);
  if (input.dry_run) return previewOf(risk, mark);
  if (isAsked(context)) {
    if (loss !== undefined) await ask(loss, mark, risk);
  } else if (input.confirm_token !== undefined) await requireToken(input.confirm_token, mark, risk);
  else if (loss !== undefined) throw unconfirmed(loss, mark, risk);
  return undefined;
}

/** Something is not what was confirmed. */
export function outdated(subject: string, data?: Readonly<Record<string, unknown>>): ToolError {
  return new ToolError('PRECONDITION_FAILED', `${subject} or the arguments are not what was confirmed; nothing was done`, {
    hint: 'look again with dry_run: true',
    ...(data !== undefined && { data }),
  });
}

async function previewOf(risk: Risk, mark: string): Promise<Preview> {
  const { context, loss = NO_LOSS } = risk;
  if (context.consent.isDeclined(marksOf(mark, risk))) return { preview: loss, confirmed_by: 'declined' };
  if (isAsked(context)) return { preview: loss, confirmed_by: 'dialogue' };
  return { preview: loss, confirmed_by: 'token', confirm_token: await context.sealOnce(mark) };
}

async function requireToken(token: string, mark: string, risk: Risk): Promise<void> {
  const { context, subject, loss = NO_LOSS } = risk;
  await context.unsealOnce(token, {
    subject: 'the confirm_token',
    hint: 'call with dry_run: true to get a new one',
    check: (sealed) => {
      if (sealed !== mark) throw outdated(subject);
      if (context.consent.isDeclined(marksOf(mark, risk))) throw declined('before', loss);
    },
  });
}

async function ask(loss: Loss, mark: string, risk: Risk): Promise<void> {
  const { context } = risk;
  // The key identifies the state that the user saw: answers about another state are ignored. Sample rows in the text may differ.
  const answer = await context.elicit(`confirm-${mark}`, questionOf(loss), FORM, { identity: mark });
  const marks = marksOf(mark, risk);
  if (answer.action === 'accept' && answer.content['confirm'] === true) return context.consent.recordConfirmation(marks);
  context.consent.recordDecline(marks);
  throw declined(answer.action === 'cancel' ? 'cancel' : 'decline', loss);
}

/** Whether the user is asked. Before there were modes of elicitation, every client that supports elicitation supported forms. */
function isAsked({ client, consent }: RequestContext): boolean {
  const { elicitation } = client.capabilities;
  return consent.policy === 'ask' && elicitation !== undefined && (!('url' in elicitation) || 'form' in elicitation);
}

function markOf({ input, state }: Risk): string {
  const { dry_run: _, confirm_token: __, ...given } = input;
  const sorted = Object.entries(given).sort(([one], [other]) => (one < other ? -1 : 1));
  return hashOf([sorted, state]);
}

/** The second mark is the same if the model changes only arguments that make no difference to the user. */
function marksOf(mark: string, { state, loss = NO_LOSS }: Risk): readonly string[] {
  return [mark, hashOf([state, loss.question, loss.lost])];
}

function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url');
}

function unconfirmed(loss: Loss, mark: string, risk: Risk): ToolError {
  if (risk.context.consent.isDeclined(marksOf(mark, risk))) return declined('before', loss);
  return new ToolError('CONFIRMATION_REQUIRED', `this has to be confirmed. ${questionOf(loss)}`, {
    hint: 'call again with dry_run: true, show the user what would be lost, then pass the confirm_token it returns',
    data: shownLoss(loss),
  });
}
