import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/server';

import { HttpError } from '../http-messages/http-error.ts';
import { isRequest } from '../protocol/json-rpc.ts';
import { BATCH_REVISION, MAX_BATCH, STATELESS_REVISION } from '../protocol/revisions.ts';
import { explainInvalidMessage, isMessage } from '../protocol/validate-message.ts';

/** Maximum number of requests in flight per session: a client that disconnects after each request is not limited by its connections. */
const MAX_IN_FLIGHT = 1000;

/** The session that receives the messages. */
interface Receiver {
  /** Negotiated revision; empty before `initialize`. */
  readonly version: string;
  /** Number of unanswered requests. */
  readonly inFlight: number;
  /** Whether a request with this id is unanswered. */
  isInFlight(id: RequestId): boolean;
}

/** Receiver of the messages that open a session. */
const NO_SESSION: Receiver = { version: '', inFlight: 0, isInFlight: () => false };

/**
 * Parses the messages of a body: one message, or on revision 2025-03-26 a batch of up to 100.
 *
 * @throws HttpError 400 for an invalid message, an unsupported batch, or an id that is in use (the client could not match two responses to
 * their requests); 429 for too many requests in flight
 */
export function parsePostedMessages(body: unknown, receiver: Receiver = NO_SESSION): readonly JSONRPCMessage[] {
  if (Array.isArray(body)) assertBatch(body, receiver.version);
  const messages = (Array.isArray(body) ? body : [body]).map(toMessage);
  assertRoom(messages, receiver);
  return messages;
}

/**
 * Checks a body before its era is known. Rejects a batch on revision 2026-07-28; otherwise, the session checks the messages of a batch.
 *
 * @throws HttpError 400 for an invalid message. The SDK would answer such a message with an id that is null.
 */
export function assertValidBody(body: unknown, version: string | undefined): void {
  if (!Array.isArray(body)) assertMessage(body);
  else if (version === STATELESS_REVISION) assertBatch(body, version);
}

/** Whether a body is the request that opens a session. */
export function isInitialize(body: unknown): boolean {
  return isRequest(body) && body.method === 'initialize';
}

function assertBatch(batch: readonly unknown[], version: string): void {
  if (version !== BATCH_REVISION)
    throw invalid(`Batches are not supported${version === '' ? '' : ` in protocol version ${version}`}`);
  if (batch.length === 0 || batch.length > MAX_BATCH) throw invalid(`A batch has 1 to ${MAX_BATCH} messages`);
  if (batch.some(isInitialize)) throw invalid('initialize must not be part of a batch');
}

function assertRoom(messages: readonly JSONRPCMessage[], receiver: Receiver): void {
  const seen = new Set<RequestId>();
  for (const message of messages) {
    if (!('method' in message) || !('id' in message)) continue;
    const { id } = message;
    if (seen.has(id) || receiver.isInFlight(id)) throw invalid('A request with this id is in flight');
    seen.add(id);
  }
  if (seen.size > 0 && receiver.inFlight + seen.size > MAX_IN_FLIGHT) throw tooMany();
}

function toMessage(value: unknown): JSONRPCMessage {
  assertMessage(value);
  return value;
}

function assertMessage(value: unknown): asserts value is JSONRPCMessage {
  if (isMessage(value)) return;
  const { problem, response } = explainInvalidMessage(value);
  throw new HttpError(400, problem, response && { code: response.error.code });
}

function tooMany(): HttpError {
  const message = `A session has at most ${MAX_IN_FLIGHT} requests in flight; try again when some are answered`;
  return new HttpError(429, message, { headers: { 'Retry-After': '5' } });
}

function invalid(message: string): HttpError {
  return new HttpError(400, message);
}
