import { createHash } from 'node:crypto';

import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';

import { isPlainObject } from '../../schema/json-schema.ts';
import { isSingleUse, spendOnce, type SingleUse, type SpentSeals } from '../spent-seals.ts';
import { CLIENT_ROOTS_KEY } from './client-roots.ts';
import { ROOTS_MARK } from './question.ts';

/** What a call remembers from one round to the next; the client carries it, sealed. */
export interface CallState {
  /** The client's answers of earlier rounds, by question. */
  readonly answers: Readonly<Record<string, unknown>>;
  /** Fingerprint of each question that was sent, by key; answers to any other question are ignored. */
  readonly asked: Readonly<Record<string, string>>;
  /** How many answers were unusable so far, by question. */
  readonly attempts: Readonly<Record<string, number>>;
  /** Identifiers of questions that ask to open a page, by question. */
  readonly elicitationIds: Readonly<Record<string, string>>;
}

/** A {@link CallState} as the client carries it: bound to its call, and valid for one further round. */
export interface SealedState extends CallState, SingleUse {
  readonly call: string;
}

/**
 * State of the first round of a call. A client may send its roots without a request: the server would accept the same roots as
 * an answer, so an unsolicited answer grants nothing.
 */
export const NO_STATE: CallState = { answers: {}, asked: { [CLIENT_ROOTS_KEY]: ROOTS_MARK }, attempts: {}, elicitationIds: {} };

const WORDING = {
  subject: 'the requestState',
  hint: 'check whether the call was done before; to call again, leave out requestState and inputResponses',
};

/**
 * Verifies the state that a request carries and marks the state as used.
 *
 * @param owner the principal that sends the request
 * @throws ProtocolError −32602 if the state belongs to another call, ToolError PRECONDITION_FAILED if the state was used before or
 * made by another process
 */
export async function resumeCall(
  carried: unknown,
  call: CallIdentity,
  { spent, owner }: { readonly spent: SpentSeals; readonly owner: string },
): Promise<CallState> {
  if (!isSealedState(carried) || carried.call !== fingerprint(call))
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Invalid or expired requestState', {
      reason: 'invalid_request_state',
    });
  await spendOnce(spent, { ...carried, owner }, WORDING);
  return carried;
}

/** What makes two requests rounds of one call. */
export interface CallIdentity {
  readonly method: string;
  /** The tool's or prompt's name, or the resource's URI. */
  readonly name: string;
  readonly arguments?: unknown;
}

/** Equal for equal calls, in whatever order a client writes the arguments when it asks again. */
export function fingerprint({ method, name, arguments: given }: CallIdentity): string {
  const sorted = (_: string, value: unknown): unknown =>
    isPlainObject(value) ? Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))) : value;
  return createHash('sha256')
    .update(JSON.stringify([method, name, given ?? {}], sorted))
    .digest('base64url');
}

function isSealedState(value: unknown): value is SealedState {
  return (
    isPlainObject(value) &&
    isSingleUse(value) &&
    typeof value['call'] === 'string' &&
    isPlainObject(value['answers']) &&
    isPlainObject(value['asked']) &&
    isPlainObject(value['attempts']) &&
    isPlainObject(value['elicitationIds'])
  );
}
