import type { JSONRPCMessage, JSONRPCRequest, RequestId } from '@modelcontextprotocol/server';

import { readCancelledId } from '../protocol/json-rpc.ts';
import type { SessionState } from '../shared-state/session-record.ts';

/** Maximum number of characters of all remembered URIs: a record with more could not be stored quickly. */
const MAX_URIS = 1_000_000;

/** Remembers what a client sets up in its session: the parameters of `initialize`, the log level, and the subscriptions. */
export class SessionMemory {
  readonly #pending = new Map<RequestId, JSONRPCRequest>();
  readonly #subscribed: Set<string>;
  #initialize: SessionState['initialize'];
  #level: string | undefined;
  #characters = 0;

  constructor({ initialize, level, subscribed }: SessionState = { initialize: {}, subscribed: [] }) {
    this.#initialize = initialize;
    this.#level = level;
    this.#subscribed = new Set(subscribed);
    for (const uri of subscribed) this.#characters += uri.length;
  }

  get state(): SessionState {
    const level = this.#level;
    return { initialize: this.#initialize, ...(level !== undefined && { level }), subscribed: [...this.#subscribed] };
  }

  /** Observes a message of the client. */
  receive(message: JSONRPCMessage): void {
    if ('method' in message && 'id' in message && APPLYING.has(message.method)) this.#pending.set(message.id, message);
    // A cancelled request gets no answer, so it would be kept for ever.
    const cancelled = readCancelledId(message);
    if (cancelled !== undefined) this.#pending.delete(cancelled);
  }

  /** Observes a message to the client. Returns whether the message answers a request that has changed the state. */
  send(message: JSONRPCMessage): boolean {
    if ('method' in message || message.id === undefined) return false;
    const request = this.#pending.get(message.id);
    if (request === undefined) return false;
    this.#pending.delete(message.id);
    return 'result' in message && this.#apply(request);
  }

  #apply({ method, params = {} }: JSONRPCRequest): boolean {
    const { uri, level } = params;
    if (method === 'initialize') this.#initialize = params;
    else if (method === 'logging/setLevel') this.#level = String(level);
    else if (method === 'resources/subscribe') return this.#subscribe(String(uri));
    else return this.#unsubscribe(String(uri));
    return true;
  }

  #subscribe(uri: string): boolean {
    if (this.#subscribed.has(uri) || this.#characters + uri.length > MAX_URIS) return false;
    this.#subscribed.add(uri);
    this.#characters += uri.length;
    return true;
  }

  #unsubscribe(uri: string): boolean {
    if (!this.#subscribed.delete(uri)) return false;
    this.#characters -= uri.length;
    return true;
  }
}

/** Methods whose requests change the state of a session. */
const APPLYING: ReadonlySet<string> = new Set(['initialize', 'logging/setLevel', 'resources/subscribe', 'resources/unsubscribe']);
