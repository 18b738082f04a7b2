import { createHash } from 'node:crypto';

import { ToolError } from '../results/tool-error.ts';
import type { RequestContext } from '../runtime/context/request-context.ts';
import { declined } from './declined.ts';
import { NO_LOSS, formatQuestion, summarizeLoss, type Loss, type Preview } from './loss.ts';

/** Arguments of a tool that may lose data, in addition to its other arguments. */
export interface Confirmable {
  /** Whether the call only reports what would be lost. */
  readonly dry_run: boolean;
  /** Token from a dry run that the user approved. */
  readonly confirm_token?: string;
}

/** A call that may lose data, and the facts for the decision. */
export interface Risk {
  readonly input: Confirmable;
  readonly context: RequestContext;
  /** The effects to confirm; `undefined` if nothing would be lost, and the call then needs no confirmation. */
  readonly loss: Loss | undefined;
  /** State that the decision depends on, in addition to the arguments: a confirmation is valid for exactly this state. */
  readonly state: string;
  /** Subject of the state for messages, such as `the repository`. */
  readonly subject: string;
}

/** Form that the user fills in. */
const FORM = {
  type: 'object',
  properties: { confirm: { type: 'boolean', description: 'Do it' } },
  required: ['confirm'],
} as const;

/**
 * Returns the preview of a dry run, or requires a confirmation of the call: from the user or, if the client cannot ask
 * its user or the operator allows tokens, by the token of a dry run ({@link ServerFactoryOptions.confirm}). Resolves to
 * `undefined` if the call may proceed.
 *
 * With the policy `ask`, a client that can ask its user gets no token: after the user declined, only the user can confirm the
 * operation, in the dialogue of a later call. For a day after the user declined, no token of the same principal, session or
 * connection confirms the operation. Two calls are the same operation if they have the same tool and state, and either the same
 * arguments or the same question. Each process remembers only its own declined operations.
 *
 * A token confirms one call, even if that call fails afterwards. See {@link RequestContext.sealOnce} for several processes.
 *
 * The method runs again with the user's answer, so code before this call must have no side effects. The state may change before
 * the user answers: check the state before the method acts, and throw {@link staleConfirmation} if the state differs.
 *
 * @throws ToolError DECLINED if the user declined or closed the dialogue, CONFIRMATION_REQUIRED if a token is needed,
 * PRECONDITION_FAILED if the token was made for other arguments or another state, was used before or is from another
 * process, INVALID_ARGUMENTS for any other text
 */
export async function confirm(risk: Risk): Promise<Preview | undefined> {
  const { input, context, loss } = risk;
  const mark = computeMark(risk);
  if (input.dry_run) return createPreview(risk, mark);
  if (asksUser(context)) {
    if (loss !== undefined) await ask(loss, mark, risk);
  } else if (input.confirm_token !== undefined) await requireToken(input.confirm_token, mark, risk);
  else if (loss !== undefined) throw confirmationRequired(loss, mark, risk);
  return undefined;
}

/** Returns the error for a state or arguments that differ from what was confirmed. */
export function staleConfirmation(subject: string, data?: Readonly<Record<string, unknown>>): ToolError {
  return new ToolError('PRECONDITION_FAILED', `${subject} or the arguments differ from what was confirmed; nothing was done`, {
    hint: 'call again with dry_run: true',
    ...(data !== undefined && { data }),
  });
}

async function createPreview(risk: Risk, mark: string): Promise<Preview> {
  const { context, loss = NO_LOSS } = risk;
  if (context.consent.isDeclined(computeMarks(mark, risk))) return { preview: loss, confirmed_by: 'declined' };
  if (asksUser(context)) return { preview: loss, confirmed_by: 'dialogue' };
  return { preview: loss, confirmed_by: 'token', confirm_token: await context.sealOnce(mark) };
}

async function requireToken(token: string, mark: string, risk: Risk): Promise<void> {
  const { context, subject, loss = NO_LOSS } = risk;
  await context.unsealOnce(token, {
    subject: 'the confirm_token',
    hint: 'call with dry_run: true to get a new confirm_token',
    check: (sealed) => {
      if (sealed !== mark) throw staleConfirmation(subject);
      if (context.consent.isDeclined(computeMarks(mark, risk))) throw declined('before', loss);
    },
  });
}

async function ask(loss: Loss, mark: string, risk: Risk): Promise<void> {
  const { context } = risk;
  // The mark identifies the arguments and the state, so an answer about others is ignored. The text of the question is not
  // compared, because details such as sample rows may differ on each run.
  const answer = await context.elicit(`confirm-${mark}`, formatQuestion(loss), FORM, { identity: mark });
  const marks = computeMarks(mark, risk);
  if (answer.action === 'accept' && answer.content['confirm'] === true) return context.consent.recordConfirmation(marks);
  context.consent.recordDecline(marks);
  throw declined(answer.action === 'cancel' ? 'cancel' : 'decline', loss);
}

/**
 * Whether the client asks the user. In protocol versions without elicitation modes, every client with elicitation supports forms.
 */
function asksUser({ client, consent }: RequestContext): boolean {
  const { elicitation } = client.capabilities;
  return consent.policy === 'ask' && elicitation !== undefined && (!('url' in elicitation) || 'form' in elicitation);
}

function computeMark({ input, state }: Risk): string {
  const { dry_run: _, confirm_token: __, ...given } = input;
  const sorted = Object.entries(given).sort(([one], [other]) => (one < other ? -1 : 1));
  return hash([sorted, state]);
}

/**
 * Returns the marks that identify an operation. The second mark ignores the arguments: the operation stays the same if its state,
 * question and list of lost items are the same.
 */
function computeMarks(mark: string, { state, loss = NO_LOSS }: Risk): readonly string[] {
  return [mark, hash([state, loss.question, loss.lost])];
}

function hash(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url');
}

function confirmationRequired(loss: Loss, mark: string, risk: Risk): ToolError {
  if (risk.context.consent.isDeclined(computeMarks(mark, risk))) return declined('before', loss);
  return new ToolError('CONFIRMATION_REQUIRED', `this operation needs confirmation. ${formatQuestion(loss)}`, {
    hint: 'call again with dry_run: true, show the user what would be lost, then repeat the call with the confirm_token of the dry run',
    data: summarizeLoss(loss),
  });
}
