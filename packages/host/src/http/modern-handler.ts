import type { IncomingMessage, ServerResponse, IncomingHttpHeaders } from 'node:http';

import {
  createMcpHandler,
  ProtocolError,
  type JSONRPCRequest,
  type McpHttpHandler,
  type McpServer,
} from '@modelcontextprotocol/server';
import { ChangeBus, Shares, Subscriptions } from '@org/mcp-decorators';

import { TOKEN_ENDED, type Admission } from '../auth/admission.ts';
import { openEventStream, formatEvent, writeFrame } from '../http-messages/event-frames.ts';
import { INTERNAL_ERROR, HttpError } from '../http-messages/http-error.ts';
import { takeShare } from '../http-messages/take-share.ts';
import { isRequest } from '../protocol/json-rpc.ts';
import { readListenedUris, watchResources } from '../protocol/validate-message.ts';
import type { ProtocolFactory } from '../protocol/serve-connection.ts';
import { correctSdkError } from '../protocol/sdk-errors.ts';

export interface ModernHandlerOptions {
  readonly factory: ProtocolFactory;
  /** Maximum number of open streams of `subscriptions/listen`. */
  readonly maxListeners: number;
  readonly onError: (error: unknown) => void;
}

/**
 * Milliseconds after which the response to a call becomes a stream, which proxies keep open. A shorter time would hide
 * errors, because the status of a stream can no longer report that the client lacks a capability.
 */
const STREAM_AFTER_MS = 5000;

/** Status of the SDK response if the client closed the request before the response. */
const CLOSED = 499;
const SHUTTING_DOWN = 'The server is shutting down';

/** Serves revision 2026-07-28 over HTTP, where each request is independent. */
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
    this.#handler = createMcpHandler(({ era, requestInfo }) => withDirectAnswer(factory({ era }), requestInfo), {
      legacy: 'reject',
      bus: ChangeBus.of(server),
      maxSubscriptions: maxListeners,
      onerror: (error) => {
        if (!isRefusal(error)) onError(error);
      },
    });
  }

  /** Number of open streams of `subscriptions/listen`. */
  get streams(): number {
    return this.#shares.taken;
  }

  /** @throws HttpError */
  async serve(request: IncomingMessage, response: ServerResponse, body: unknown, admission: Admission): Promise<void> {
    const { auth } = admission;
    const streamTimer = setTimeout(() => openEventStream(response), STREAM_AFTER_MS);
    try {
      const webRequest = new WebRequest(request, response);
      admission.onTokenEnd(() => webRequest.abort());
      const answer = await this.#handler.fetch(webRequest, { parsedBody: body, ...(auth !== undefined && { authInfo: auth }) });
      if (response.writableEnded) return;
      clearTimeout(streamTimer);
      if (answer.status !== CLOSED) return await sendWebResponse(answer, response);
      if (!response.headersSent) {
        admission.assertValid();
        throw new HttpError(503, SHUTTING_DOWN);
      }
      await sendWebResponse(createClosingResponse(body, admission.isTokenEnded ? TOKEN_ENDED : SHUTTING_DOWN), response);
    } finally {
      clearTimeout(streamTimer);
    }
  }

  /**
   * Serves a stream of change notifications. Watches the named resources while the stream is open, and omits those that cannot be watched.
   *
   * @throws HttpError 503 if the maximum number of streams is open, 429 if this principal has reached its share
   */
  async listen(request: IncomingMessage, response: ServerResponse, body: JSONRPCRequest, admission: Admission): Promise<void> {
    const { principal } = admission;
    const release = takeShare(this.#shares, { principal, what: 'listen streams' });
    const subscriptions = this.#subscriptions;
    const owner = {};
    try {
      const { onError } = this.#options;
      const names = subscriptions !== undefined && readListenedUris(body).length > 0;
      const watched = names ? await watchResources(body, { subscriptions, owner, principal, onError }) : body;
      await this.serve(request, response, watched, admission);
    } finally {
      release();
      await subscriptions?.remove(owner);
    }
  }

  /** Ends the listen streams and aborts running requests. */
  close(): Promise<void> {
    return this.#handler.close();
  }
}

function withDirectAnswer(mcp: McpServer, request: Request | undefined): McpServer {
  return request instanceof WebRequest ? enableDirectAnswer(mcp, request.response) : mcp;
}

/** Whether the SDK has already sent the error to the client. Such errors are not logged, because any client could fill the log. */
function isRefusal(error: Error): boolean {
  return error instanceof ProtocolError || error.message.startsWith('Rejected inbound request');
}

/**
 * Creates the response that ends a stream with an error, because the status of a stream that has begun can no longer
 * report the error.
 */
function createClosingResponse(body: unknown, message: string): Response {
  const id = isRequest(body) ? body.id : undefined;
  return Response.json({ jsonrpc: '2.0', id, error: { code: INTERNAL_ERROR, message } });
}

/**
 * Writes a result that is the only message for its request straight to the HTTP response, then closes the SDK transport
 * as if the client had disconnected. Creating and reading a web `Response` would take longer than most calls. All other
 * messages are sent by the SDK.
 */
function enableDirectAnswer(mcp: McpServer, response: ServerResponse): McpServer {
  const connect = mcp.connect.bind(mcp);
  // The SDK connects each instance to its own transport.
  mcp.connect = (transport) => {
    const send = transport.send.bind(transport);
    let isOnlyMessage = true;
    transport.send = async (message, options) => {
      isOnlyMessage &&= 'result' in message && !response.headersSent;
      if (!isOnlyMessage) return send('error' in message ? correctSdkError(message, undefined, false) : message, options);
      response.setHeader('Content-Type', 'application/json').end(JSON.stringify(message));
      // The transport is closed in a microtask, because the SDK must finish sending first.
      queueMicrotask(() => void transport.close());
    };
    return connect(transport);
  };
  return mcp;
}

/** A web `Request` without its body. Aborted if the client disconnects before it is answered. */
class WebRequest extends Request {
  readonly response: ServerResponse;
  // Replaces the signal of `Request`: deriving a signal from the given one takes longer than the rest of the
  // constructor.
  override readonly signal: AbortSignal;
  readonly #disconnected: AbortController;

  constructor({ method = 'GET', url = '/', headers }: IncomingMessage, response: ServerResponse) {
    super(new URL(url, 'http://localhost'), { method, headers: toPairs(headers) });
    this.response = response;
    this.#disconnected = abortOnDisconnect(response);
    this.signal = this.#disconnected.signal;
  }

  /** Aborts the handling of the request, as if the client had disconnected. */
  abort(): void {
    this.#disconnected.abort();
  }
}

/** Sends a web `Response`. If a stream has begun, sends its body as an event. */
async function sendWebResponse(answer: Response, response: ServerResponse): Promise<void> {
  const { body, headers, status } = answer;
  if (!response.headersSent) setHead(response, status, headers);
  if (body !== null && headers.get('content-type') === 'text/event-stream') {
    response.flushHeaders();
    // Does not wait for a slow client: messages would accumulate in the SDK without a limit.
    for await (const chunk of body) writeFrame(response, chunk);
    response.end();
    return;
  }
  const text = await answer.text();
  if (response.headersSent) writeFrame(response, formatEvent(text));
  response.end(response.headersSent ? undefined : text);
}

/** Node sends the head together with the body and its length, if the body follows at once. */
function setHead(response: ServerResponse, status: number, headers: Headers): void {
  response.statusCode = status;
  for (const [name, value] of headers) {
    // The header `connection` is omitted, because Node manages the connection to the client.
    if (name !== 'connection') response.setHeader(name, value);
  }
}

function toPairs(headers: IncomingHttpHeaders): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
}

function abortOnDisconnect(response: ServerResponse): AbortController {
  const controller = new AbortController();
  // The event 'close' fires only once and may already have fired.
  if (response.destroyed) controller.abort();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller;
}
