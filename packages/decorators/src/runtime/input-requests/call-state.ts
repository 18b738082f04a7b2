import { createHash } from 'node:crypto';

import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';

import { isPlainObject } from '../../schema/json-schema.ts';
import { isSingleUse, spendOnce, type SingleUse, type SpentSeals } from '../seals/spent-seals.ts';
import { CLIENT_ROOTS_KEY } from './client-roots.ts';
import { ROOTS_FINGERPRINT } from './question.ts';

/** State that a call carries from one round to the next. The client stores it, sealed. */
export interface CallState {
  /** Answers of earlier rounds, by the key of the question. */
  readonly answers: Readonly<Record<string, unknown>>;
  /** Fingerprint of each question that was sent, by key. Answers to other questions are ignored. */
  readonly asked: Readonly<Record<string, string>>;
  /** Number of unusable answers so far, by the key of the question. */
  readonly attempts: Readonly<Record<string, number>>;
  /** Identifiers of questions that ask the user to open a page, by the key of the question. */
  readonly elicitationIds: Readonly<Record<string, string>>;
}

/** A {@link CallState} bound to its call, valid for one further round. */
interface SealedState extends CallState, SingleUse {
  readonly call: string;
}

/**
 * State of the first round of a call. The request for roots counts as sent, so that a client may send its roots without a
 * request. This grants the client nothing, because it could send the same roots as an answer to a request.
 */
export const NO_STATE: CallState = {
  answers: {},
  asked: { [CLIENT_ROOTS_KEY]: ROOTS_FINGERPRINT },
  attempts: {},
  elicitationIds: {},
};

const WORDING = {
  subject: 'the requestState',
  hint: 'check whether the call took effect before; to call again, omit requestState and inputResponses',
};

/**
 * Verifies the state that a request carries and marks the state as used.
 *
 * @param owner the principal that sends the request
 * @throws ProtocolError −32602 if the state belongs to another call; ToolError PRECONDITION_FAILED if the state was used before, or
 * was made by a process that does not share the memory of used states
 */
export async function resumeCall(
  carried: unknown,
  call: CallIdentity,
  { spent, owner }: { readonly spent: SpentSeals; readonly owner: string },
): Promise<CallState> {
  if (!isSealedState(carried) || carried.call !== fingerprintCall(call))
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Invalid or expired requestState', {
      reason: 'invalid_request_state',
    });
  await spendOnce(spent, { ...carried, owner }, WORDING);
  return carried;
}

/** The parts of a request that are equal in all rounds of a call. */
export interface CallIdentity {
  readonly method: string;
  /** Name of the tool or prompt, or URI of the resource. */
  readonly name: string;
  readonly arguments?: unknown;
}

/** Returns a hash of a call, which is equal for equal calls regardless of the order of the arguments. */
export function fingerprintCall({ method, name, arguments: given }: CallIdentity): string {
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
