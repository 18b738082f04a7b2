import { createHash } from 'node:crypto';

import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';

import { isPlainObject } from '../../schema/json-schema.ts';

/** What a call remembers from one round to the next; the client carries it, sealed. */
export interface CallState {
  /** The client's answers of earlier rounds, by question. */
  readonly answers: Readonly<Record<string, unknown>>;
  /** How many answers were unusable so far, by question. */
  readonly attempts: Readonly<Record<string, number>>;
}

/** A {@link CallState} as it travels: bound to the call it belongs to. */
export interface SealedState extends CallState {
  readonly call: string;
  /** Names the round that it was made in. */
  readonly round: string;
}

/** That of a call's first round. */
export const NO_STATE: CallState = { answers: {}, attempts: {} };

/** The state that a request brought along; empty in the first round. @throws ProtocolError −32602 if it is another call's */
export function callStateOf(carried: unknown, call: CallIdentity): CallState {
  if (carried === undefined) return NO_STATE;
  if (isSealedState(carried) && carried.call === fingerprint(call)) return carried;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Invalid or expired requestState', {
    reason: 'invalid_request_state',
  });
}

/** The round that a request goes on with; `undefined` if it begins a call. */
export function roundOf(carried: unknown): string | undefined {
  return isSealedState(carried) ? carried.round : undefined;
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
    typeof value['call'] === 'string' &&
    typeof value['round'] === 'string' &&
    isPlainObject(value['answers']) &&
    isPlainObject(value['attempts'])
  );
}
