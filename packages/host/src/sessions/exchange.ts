import type { ServerResponse } from 'node:http';

import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/server';

import { INTERNAL_ERROR } from '../http/refusal.ts';
import type { EventStream } from './event-stream.ts';

/** A call that takes longer is answered by a stream, so that its client knows where to go on if it loses the connection. */
const PATIENCE_MS = 100;

export interface ExchangeOptions {
  readonly response: ServerResponse;
  readonly stream: EventStream;
  readonly ids: readonly RequestId[];
  /** Whether the client understands events without data (2025-11-25). */
  readonly primes: boolean;
  /** Whether there may be no single answer: several requests came together. */
  readonly isBatch: boolean;
}

/**
 * The requests of one POST, until each is answered: one JSON body for an answer that comes soon and alone, a stream otherwise. A
 * client that goes does not cancel them: the answers wait for its `Last-Event-ID`.
 */
export class Exchange {
  readonly #options: ExchangeOptions;
  readonly #unanswered: Set<RequestId>;
  readonly #patience: NodeJS.Timeout;
  #streams = false;
  #ended: () => void = () => undefined;
  /** Resolves when nothing more can be sent. */
  readonly ended: Promise<void> = new Promise((resolve) => {
    this.#ended = resolve;
  });

  constructor(options: ExchangeOptions) {
    this.#options = options;
    this.#unanswered = new Set(options.ids);
    this.#patience = setTimeout(() => this.#openStream(), PATIENCE_MS);
    if (options.isBatch) this.#openStream();
  }

  get stream(): EventStream {
    return this.#options.stream;
  }

  /** Whether the client is there to get the answers. */
  get isConnected(): boolean {
    return this.#streams ? this.stream.isConnected : !this.#options.response.destroyed;
  }

  /** Something that belongs to one of the requests and is not its answer. */
  notify(message: JSONRPCMessage): void {
    this.#openStream();
    this.stream.send(JSON.stringify(message));
  }

  /** Takes a header back, if it was not sent yet. */
  withdraw(header: string): void {
    const { response } = this.#options;
    if (!response.headersSent) response.removeHeader(header);
  }

  answer(id: RequestId, message: JSONRPCMessage): void {
    // Before anything is changed, because it may throw.
    const json = JSON.stringify(message);
    if (!this.#unanswered.delete(id)) return;
    if (!this.#streams) {
      this.#respond(json);
      return;
    }
    this.stream.send(json, id);
    if (this.#unanswered.size === 0) this.#end();
  }

  /** A request that was cancelled has no answer. */
  cancel(id: RequestId): void {
    if (this.#unanswered.delete(id) && this.#unanswered.size === 0) this.#end();
  }

  /** Ends the connection, not the requests: the client comes back for their answers, if it was told by which event. */
  closeStream(): void {
    if (!this.#options.primes) return;
    this.#openStream();
    this.stream.disconnect();
  }

  /** Answers what was not answered yet, because nothing else will. */
  abandon(reason: string): void {
    const error = { code: INTERNAL_ERROR, message: reason };
    for (const id of this.#unanswered) this.answer(id, { jsonrpc: '2.0', id, error });
  }

  /** Whatever was not answered will not be. */
  #end(): void {
    if (!this.#streams) this.#options.response.writeHead(202).end();
    this.#finish();
  }

  #respond(json: string): void {
    const { response } = this.#options;
    response.setHeader('Content-Type', 'application/json');
    response.end(json);
    this.#finish();
  }

  #openStream(): void {
    if (this.#streams) return;
    this.#streams = true;
    clearTimeout(this.#patience);
    const { response, stream, primes } = this.#options;
    stream.connect(response, { primes });
  }

  #finish(): void {
    clearTimeout(this.#patience);
    this.stream.end();
    this.#ended();
  }
}
