import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/server';

import { Refusal } from '../http/refusal.ts';
import { BATCHES, MAX_BATCH } from '../wire/batches.ts';
import { isMessage, refusalOf } from '../wire/message.ts';

/** The one revision that has no sessions. */
const STATELESS = '2026-07-28';

/** A session may have no more requests under way: whoever hangs up after each of them keeps no connection open for it. */
const MAX_IN_FLIGHT = 1000;

/** What the messages are posted to. */
interface Receiver {
  /** The revision that was agreed on; empty before. */
  readonly version: string;
  /** How many requests wait for their answers. */
  readonly inFlight: number;
  /** Whether a request with this id waits for its answer. */
  isInFlight(id: RequestId): boolean;
}

/** Of what is posted before there is a session. */
const NOBODY: Receiver = { version: '', inFlight: 0, isInFlight: () => false };

/**
 * The messages of a body: one, or on 2025-03-26 up to 100.
 *
 * @throws Refusal 400 for what is no message, a batch where there is none, and a request whose id is in use: an answer to it could
 * not be told from one to the first; 429 for more requests than may be under way
 */
export function postedMessages(body: unknown, receiver: Receiver = NOBODY): readonly JSONRPCMessage[] {
  if (Array.isArray(body)) assertBatch(body, receiver.version);
  const messages = (Array.isArray(body) ? body : [body]).map(messageOf);
  assertRoom(messages, receiver);
  return messages;
}

/**
 * Of a batch its session sees to the messages, as far as there may be sessions.
 *
 * @throws Refusal 400 for a body that is no message, before anybody else answers it with an id that is null
 */
export function assertPosted(body: unknown, version: string | undefined): void {
  if (!Array.isArray(body)) assertMessage(body);
  else if (version === STATELESS) assertBatch(body, version);
}

/** Whether a body asks to open a session. */
export function isInitialize(body: unknown): boolean {
  return isRequest(body) && body.method === 'initialize';
}

/** Whether a body asks for something, and is not only a notification or an answer. */
export function isRequest(body: unknown): body is { readonly method: unknown; readonly id: unknown } {
  return typeof body === 'object' && body !== null && 'method' in body && 'id' in body;
}

function assertBatch(batch: readonly unknown[], version: string): void {
  if (version !== BATCHES) throw invalid(`There are no batches${version === '' ? '' : ` on ${version}`}`);
  if (batch.length === 0 || batch.length > MAX_BATCH) throw invalid(`A batch has 1 to ${MAX_BATCH} messages`);
  if (batch.some(isInitialize)) throw invalid('initialize comes alone');
}

function assertRoom(messages: readonly JSONRPCMessage[], receiver: Receiver): void {
  const seen = new Set<RequestId>();
  for (const message of messages) {
    if (!('method' in message) || !('id' in message)) continue;
    const { id } = message;
    if (seen.has(id) || receiver.isInFlight(id)) throw invalid('A request with this id is under way');
    seen.add(id);
  }
  if (seen.size > 0 && receiver.inFlight + seen.size > MAX_IN_FLIGHT) throw tooMany();
}

function messageOf(value: unknown): JSONRPCMessage {
  assertMessage(value);
  return value;
}

function assertMessage(value: unknown): asserts value is JSONRPCMessage {
  if (isMessage(value)) return;
  const { problem, answer } = refusalOf(value);
  throw new Refusal(400, problem, answer && { code: answer.error.code });
}

function tooMany(): Refusal {
  const message = `A session has at most ${MAX_IN_FLIGHT} requests under way; try again when some are answered`;
  return new Refusal(429, message, { headers: { 'Retry-After': '5' } });
}

function invalid(message: string): Refusal {
  return new Refusal(400, message);
}
