import type { IncomingMessage, ServerResponse } from 'node:http';

import {
  createMcpHandler,
  type AuthInfo,
  type JSONRPCRequest,
  type McpHttpHandler,
  type McpServerFactory,
} from '@modelcontextprotocol/server';
import { Changes, Subscriptions } from '@org/mcp-decorators';

import { watchListened } from '../listen-request.ts';
import { Refusal } from './refusal.ts';
import { answerWith, toWebRequest } from './web-exchange.ts';

export interface ModernHandlerOptions {
  readonly factory: McpServerFactory;
  /** More streams of `subscriptions/listen` are refused. */
  readonly maxListeners: number;
  readonly onError: (error: unknown) => void;
}

/** What the SDK answers with when the exchange was closed before there was an answer. */
const CLOSED = 499;

/** Serves 2026-07-28 over HTTP: every request carries everything. */
export class ModernHandler {
  readonly #handler: McpHttpHandler;
  readonly #subscriptions: Subscriptions | undefined;
  readonly #onError: ModernHandlerOptions['onError'];
  #streams = 0;

  constructor(server: object, { factory, maxListeners, onError }: ModernHandlerOptions) {
    this.#subscriptions = Subscriptions.of(server);
    this.#onError = onError;
    this.#handler = createMcpHandler(factory, {
      legacy: 'reject',
      bus: Changes.of(server),
      maxSubscriptions: maxListeners,
      onerror: onError,
    });
  }

  /** Open streams of `subscriptions/listen`. */
  get streams(): number {
    return this.#streams;
  }

  async serve(request: IncomingMessage, response: ServerResponse, body: unknown, auth: AuthInfo | undefined): Promise<void> {
    const answer = await this.#handler.fetch(toWebRequest(request, response), {
      parsedBody: body,
      ...(auth !== undefined && { authInfo: auth }),
    });
    if (answer.status === CLOSED) throw new Refusal(503, 'The server is shutting down');
    await answerWith(answer, response);
  }

  /** Serves a stream of changes; the resources it names are watched for as long as it is open, and left out if they cannot be. */
  async listen(
    request: IncomingMessage,
    response: ServerResponse,
    body: JSONRPCRequest,
    auth: AuthInfo | undefined,
  ): Promise<void> {
    const subscriptions = this.#subscriptions;
    const owner = {};
    this.#streams += 1;
    try {
      const watched = subscriptions && (await watchListened(body, { subscriptions, owner, onError: this.#onError }));
      await this.serve(request, response, watched ?? body, auth);
    } finally {
      this.#streams -= 1;
      await subscriptions?.remove(owner);
    }
  }

  /** Listen streams are told that they end; what is under way is aborted. */
  close(): Promise<void> {
    return this.#handler.close();
  }
}
