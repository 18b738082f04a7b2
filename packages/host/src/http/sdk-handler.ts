import type { IncomingMessage, ServerResponse, IncomingHttpHeaders } from 'node:http';

import {
  createMcpHandler,
  ProtocolError,
  type AuthInfo,
  type McpHttpHandler,
  type McpServer,
  type RequestId,
} from '@modelcontextprotocol/server';
import { ChangeBus, type DirectCall } from '@org/mcp-decorators';

import { formatEvent, writeFrame } from '../http-messages/event-frames.ts';
import type { ProtocolFactory } from '../protocol/serve-connection.ts';
import { correctSdkError } from '../protocol/sdk-errors.ts';

export interface SdkHandlerOptions {
  readonly factory: ProtocolFactory;
  /** Maximum number of open streams of `subscriptions/listen`. */
  readonly maxListeners: number;
  readonly onError: (error: unknown) => void;
}

/** A call that has already run, and whose outcome the SDK sends. */
export interface SettledCall {
  readonly id: RequestId;
  readonly call: DirectCall;
}

/** A request that the SDK serves. */
export interface SdkRequest {
  readonly body: unknown;
  readonly auth: AuthInfo | undefined;
  readonly settled: SettledCall | undefined;
  /** Calls `abort` when the handling of the request has to end. */
  readonly onAbort: (abort: () => void) => void;
}

/** Status of the SDK response if the request was aborted before the response. */
const CLOSED = 499;

/** Serves requests of revision 2026-07-28 by the SDK, each with its own protocol instance. */
export class SdkHandler {
  readonly #handler: McpHttpHandler;

  constructor(server: object, { factory, maxListeners, onError }: SdkHandlerOptions) {
    const create = (request: Request | undefined, context: Parameters<ProtocolFactory>[0]): McpServer => {
      const instance = factory(context);
      if (!(request instanceof WebRequest)) return instance;
      const { settled } = request;
      if (settled !== undefined) instance.directCalls.settle(settled.id, settled.call);
      return enableDirectAnswer(instance, request.response);
    };
    this.#handler = createMcpHandler(({ era, requestInfo }) => create(requestInfo, { era }), {
      legacy: 'reject',
      bus: ChangeBus.of(server),
      maxSubscriptions: maxListeners,
      onerror: (error) => {
        if (!isRefusal(error)) onError(error);
      },
    });
  }

  /** Serves a request. Resolves to whether a response was sent: not if the request was aborted before. */
  async serve(
    request: IncomingMessage,
    response: ServerResponse,
    { body, auth, settled, onAbort }: SdkRequest,
  ): Promise<boolean> {
    const webRequest = new WebRequest(request, response, settled);
    onAbort(() => webRequest.abort());
    const answer = await this.#handler.fetch(webRequest, { parsedBody: body, ...(auth !== undefined && { authInfo: auth }) });
    if (response.writableEnded) return true;
    if (answer.status === CLOSED) return false;
    await sendWebResponse(answer, response);
    return true;
  }

  /** Ends the listen streams and aborts running requests. */
  close(): Promise<void> {
    return this.#handler.close();
  }
}

/** Whether the SDK has already sent the error to the client. Such errors are not logged, because any client could fill the log. */
function isRefusal(error: Error): boolean {
  return error instanceof ProtocolError || error.message.startsWith('Rejected inbound request');
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
  readonly settled: SettledCall | undefined;
  // Replaces the signal of `Request`: deriving a signal from the given one takes longer than the rest of the
  // constructor.
  override readonly signal: AbortSignal;
  readonly #disconnected: AbortController;

  constructor(
    { method = 'GET', url = '/', headers }: IncomingMessage,
    response: ServerResponse,
    settled: SettledCall | undefined,
  ) {
    super(new URL(url, 'http://localhost'), { method, headers: toPairs(headers) });
    this.response = response;
    this.settled = settled;
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

/** Sets the status and the headers without sending them, so that Node sends them together with the body and its length. */
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
