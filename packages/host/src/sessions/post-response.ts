import type { ServerResponse } from 'node:http';

import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/server';

import { answerJson } from '../http-messages/answer-json.ts';
import { INTERNAL_ERROR } from '../http-messages/http-error.ts';
import type { EventStream } from './event-stream.ts';

/**
 * Milliseconds after which the response to a call becomes a stream, so that its client can resume after losing the
 * connection.
 */
const STREAM_AFTER_MS = 100;

export interface PostResponseOptions {
  readonly response: ServerResponse;
  readonly stream: EventStream;
  readonly ids: readonly RequestId[];
  /** Whether the client supports events without data (2025-11-25). */
  readonly primes: boolean;
  /** Whether the requests arrived in a batch, which requires a stream. */
  readonly isBatch: boolean;
}

/**
 * The response to one POST: one JSON body if a single response is ready soon, otherwise a stream. Disconnecting does not cancel the
 * requests: their responses wait until the client sends `Last-Event-ID`.
 */
export class PostResponse {
  readonly #options: PostResponseOptions;
  readonly #unanswered: Set<RequestId>;
  readonly #streamTimer: NodeJS.Timeout;
  #streams = false;
  #ended: () => void = () => undefined;
  /** Resolves when all requests are answered or cancelled. */
  readonly ended: Promise<void> = new Promise((resolve) => {
    this.#ended = resolve;
  });

  constructor(options: PostResponseOptions) {
    this.#options = options;
    this.#unanswered = new Set(options.ids);
    this.#streamTimer = setTimeout(() => this.#openStream(), STREAM_AFTER_MS);
    if (options.isBatch) this.#openStream();
  }

  get stream(): EventStream {
    return this.#options.stream;
  }

  /** Whether the client is connected. */
  get isConnected(): boolean {
    return this.#streams ? this.stream.isConnected : !this.#options.response.destroyed;
  }

  /** Sends a message that belongs to one of the requests and does not answer it. */
  notify(message: JSONRPCMessage): void {
    this.#openStream();
    this.stream.send(JSON.stringify(message));
  }

  /** Removes a header of the response. Does nothing if the headers were already sent. */
  removeHeader(header: string): void {
    const { response } = this.#options;
    if (!response.headersSent) response.removeHeader(header);
  }

  /** Sends the response to one of the requests. @param json the response as JSON */
  answer(id: RequestId, json: string): void {
    if (!this.#unanswered.delete(id)) return;
    if (!this.#streams) {
      this.#respond(json);
      return;
    }
    this.stream.send(json, id);
    if (this.#unanswered.size === 0) this.#end();
  }

  /** Removes a cancelled request, which gets no response. */
  cancel(id: RequestId): void {
    if (this.#unanswered.delete(id) && this.#unanswered.size === 0) this.#end();
  }

  /**
   * Closes the connection without ending the requests: the client reconnects for the responses. Does nothing if the client does
   * not support events without data.
   */
  closeStream(): void {
    if (!this.#options.primes) return;
    this.#openStream();
    this.stream.disconnect();
  }

  /** Answers the remaining requests with an error. */
  abandon(reason: string): void {
    const error = { code: INTERNAL_ERROR, message: reason };
    for (const id of this.#unanswered) this.answer(id, JSON.stringify({ jsonrpc: '2.0', id, error }));
  }

  /** Finishes the response when no request is unanswered. Sends status 202 if the response has not begun. */
  #end(): void {
    if (!this.#streams) this.#options.response.writeHead(202).end();
    this.#finish();
  }

  #respond(json: string): void {
    clearTimeout(this.#streamTimer);
    answerJson(this.#options.response, json, () => this.#finish());
  }

  #openStream(): void {
    if (this.#streams) return;
    this.#streams = true;
    clearTimeout(this.#streamTimer);
    const { response, stream, primes } = this.#options;
    stream.connect(response, { primes });
  }

  #finish(): void {
    clearTimeout(this.#streamTimer);
    this.stream.end();
    this.#ended();
  }
}
