import type { IncomingMessage, ServerResponse } from 'node:http';

import {
  createMcpHandler,
  ProtocolError,
  type JSONRPCRequest,
  type McpHttpHandler,
  type McpServer,
} from '@modelcontextprotocol/server';
import { Changes, Shares, Subscriptions } from '@org/mcp-decorators';

import { urisOf, watchListened } from '../listen-request.ts';
import type { ProtocolFactory } from '../protocol-factory.ts';
import { isRequest } from '../sessions/posted-messages.ts';
import { TOKEN_OVER, type Admission } from './admission.ts';
import { answerDirectly } from './answer-directly.ts';
import { openEventStream } from './event-source.ts';
import { INTERNAL_ERROR, Refusal } from './refusal.ts';
import { takeShare } from './shortage.ts';
import { answerWith, WebRequest } from './web-exchange.ts';

export interface ModernHandlerOptions {
  readonly factory: ProtocolFactory;
  /** More streams of `subscriptions/listen` are refused. */
  readonly maxListeners: number;
  readonly onError: (error: unknown) => void;
}

/**
 * A call that takes longer is answered by a stream, which proxies keep open. Not sooner, because then there is no status to tell by
 * that the client lacks a capability.
 */
const PATIENCE_MS = 5000;

/** What the SDK answers with when the exchange was closed before there was an answer. */
const CLOSED = 499;
const SHUTTING_DOWN = 'The server is shutting down';

/** Serves 2026-07-28 over HTTP: every request carries everything. */
export class ModernHandler {
  readonly #options: ModernHandlerOptions;
  readonly #handler: McpHttpHandler;
  readonly #subscriptions: Subscriptions | undefined;
  readonly #shares: Shares;

  constructor(server: object, options: ModernHandlerOptions) {
    const { factory, maxListeners, onError } = options;
    this.#options = options;
    this.#shares = new Shares(maxListeners);
    this.#subscriptions = Subscriptions.of(server);
    this.#handler = createMcpHandler(({ era, requestInfo }) => answering(factory({ era }), requestInfo), {
      legacy: 'reject',
      bus: Changes.of(server),
      maxSubscriptions: maxListeners,
      onerror: (error) => {
        if (!isRefusal(error)) onError(error);
      },
    });
  }

  /** Open streams of `subscriptions/listen`. */
  get streams(): number {
    return this.#shares.taken;
  }

  /** @throws Refusal */
  async serve(request: IncomingMessage, response: ServerResponse, body: unknown, admission: Admission): Promise<void> {
    const { auth } = admission;
    const patience = setTimeout(() => openEventStream(response), PATIENCE_MS);
    try {
      const asked = new WebRequest(request, response);
      admission.whenOver(() => asked.abort());
      const answer = await this.#handler.fetch(asked, { parsedBody: body, ...(auth !== undefined && { authInfo: auth }) });
      if (response.writableEnded) return;
      clearTimeout(patience);
      if (answer.status !== CLOSED) return await answerWith(answer, response);
      if (!response.headersSent) {
        admission.assertValid();
        throw new Refusal(503, SHUTTING_DOWN);
      }
      await answerWith(closingAnswer(body, admission.isOver ? TOKEN_OVER : SHUTTING_DOWN), response);
    } finally {
      clearTimeout(patience);
    }
  }

  /**
   * Serves a stream of changes; the resources it names are watched for as long as it is open, and left out if they cannot be.
   *
   * @throws Refusal 503 if the maximum number of streams is open, 429 if this principal has reached its share
   */
  async listen(request: IncomingMessage, response: ServerResponse, body: JSONRPCRequest, admission: Admission): Promise<void> {
    const { principal } = admission;
    const release = takeShare(this.#shares, { principal, what: 'streams of changes' });
    const subscriptions = this.#subscriptions;
    const owner = {};
    try {
      const { onError } = this.#options;
      const names = subscriptions !== undefined && urisOf(body).length > 0;
      const watched = names ? await watchListened(body, { subscriptions, owner, principal, onError }) : body;
      await this.serve(request, response, watched, admission);
    } finally {
      release();
      await subscriptions?.remove(owner);
    }
  }

  /** Listen streams are told that they end; what is under way is aborted. */
  close(): Promise<void> {
    return this.#handler.close();
  }
}

function answering(mcp: McpServer, request: Request | undefined): McpServer {
  return request instanceof WebRequest ? answerDirectly(mcp, request.response) : mcp;
}

/** Of what it refuses, the SDK tells the client and reports it too: any client could fill the log. */
function isRefusal(error: Error): boolean {
  return error instanceof ProtocolError || error.message.startsWith('Rejected inbound request');
}

/** On a stream that has begun it can only be said by the answer. */
function closingAnswer(body: unknown, message: string): Response {
  const id = isRequest(body) ? body.id : undefined;
  return Response.json({ jsonrpc: '2.0', id, error: { code: INTERNAL_ERROR, message } });
}
