import type { IncomingMessage, ServerResponse } from 'node:http';

import {
  PROTOCOL_VERSION_META_KEY,
  SdkError,
  SdkErrorCode,
  type JSONRPCNotification,
  type JSONRPCRequest,
} from '@modelcontextprotocol/server';
import { Shares, Subscriptions, type DirectCall, type DirectCalls } from '@org/mcp-decorators';

import { TOKEN_ENDED, type Admission } from '../auth/admission.ts';
import { answerJson } from '../http-messages/answer-json.ts';
import { openEventStream, formatEvent, writeFrame } from '../http-messages/event-frames.ts';
import { INTERNAL_ERROR, HttpError } from '../http-messages/http-error.ts';
import { getHeader } from '../http-messages/request-headers.ts';
import { takeShare } from '../http-messages/take-share.ts';
import { isRequest } from '../protocol/json-rpc.ts';
import { STATELESS_REVISION } from '../protocol/revisions.ts';
import { isMessage, readListenedUris, watchResources } from '../protocol/validate-message.ts';
import { SdkHandler, type SdkHandlerOptions, type SettledCall } from './sdk-handler.ts';

/**
 * Milliseconds after which the response to a call becomes a stream, which proxies keep open. A shorter time would hide
 * errors, because the status of a stream can no longer report that the client lacks a capability.
 */
const STREAM_AFTER_MS = 5000;

const SHUTTING_DOWN = 'The server is shutting down';

/** Serves revision 2026-07-28 over HTTP, where each request is independent. */
export class ModernHandler {
  readonly #onError: (error: unknown) => void;
  readonly #sdk: SdkHandler;
  readonly #directCalls: DirectCalls;
  /** Calls that run without the SDK. */
  readonly #running = new Set<DirectCall>();
  readonly #subscriptions: Subscriptions | undefined;
  readonly #shares: Shares;

  constructor(server: object, options: SdkHandlerOptions) {
    this.#onError = options.onError;
    this.#shares = new Shares(options.maxListeners);
    this.#subscriptions = Subscriptions.of(server);
    this.#sdk = new SdkHandler(server, options);
    this.#directCalls = options.factory({ era: 'modern' }).directCalls;
  }

  /** Number of open streams of `subscriptions/listen`. */
  get streams(): number {
    return this.#shares.taken;
  }

  /**
   * Serves a request, without the SDK if it is a plain call.
   *
   * @throws HttpError if the request is aborted before its response begins: 401 if its token has ended, otherwise 503
   */
  async serve(request: IncomingMessage, response: ServerResponse, body: unknown, admission: Admission): Promise<void> {
    const streamTimer = setTimeout(() => beginStream(response), STREAM_AFTER_MS);
    try {
      const exchange = { request, response, body, admission };
      const isAnswered = isPlainCall(exchange) ? await this.#call(exchange) : await this.#serveBySdk(exchange);
      if (!isAnswered) refuse(exchange);
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
      const onError = this.#onError;
      const names = subscriptions !== undefined && readListenedUris(body).length > 0;
      const watched = names ? await watchResources(body, { subscriptions, owner, principal, onError }) : body;
      await this.serve(request, response, watched, admission);
    } finally {
      release();
      await subscriptions?.remove(owner);
    }
  }

  /** Ends the listen streams and aborts running requests. */
  async close(): Promise<void> {
    for (const call of this.#running) this.#cancel(call);
    await this.#sdk.close();
  }

  /** Runs a call without the SDK, if possible. Resolves to whether a response was sent. */
  async #call(exchange: Exchange<JSONRPCRequest>): Promise<boolean> {
    const call = this.#begin(exchange);
    if (call === undefined) return this.#serveBySdk(exchange);
    const { response, body } = exchange;
    const message = await call.response;
    if (!this.#running.delete(call)) return response.writableEnded;
    if (message === undefined) return this.#serveBySdk(exchange, { id: body.id, call });
    const text = JSON.stringify(message);
    if (response.headersSent) {
      writeFrame(response, formatEvent(text));
      response.end();
    } else await new Promise<void>((resolve) => answerJson(response, text, resolve));
    return true;
  }

  #begin({ response, body, admission }: Exchange<JSONRPCRequest>): DirectCall | undefined {
    const { auth } = admission;
    const extra = { ...(auth !== undefined && { authInfo: auth }), closeSSEStream: () => undefined };
    const call = this.#directCalls.begin(body, { extra, channel: { notify: (message) => notify(message, response) } });
    if (call === undefined) return undefined;
    this.#running.add(call);
    const cancel = (): void => this.#cancel(call);
    admission.onTokenEnd(cancel);
    response.once('close', cancel);
    if (response.destroyed) cancel();
    return call;
  }

  #cancel(call: DirectCall): void {
    if (this.#running.delete(call)) call.cancel(new SdkError(SdkErrorCode.ConnectionClosed, 'Connection closed'));
  }

  #serveBySdk({ request, response, body, admission }: Exchange, settled?: SettledCall): Promise<boolean> {
    const { auth } = admission;
    const onAbort = (abort: () => void): void => admission.onTokenEnd(abort);
    return this.#sdk.serve(request, response, { body, auth, settled, onAbort });
  }
}

/** A request and its response. */
interface Exchange<Body = unknown> {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly body: Body;
  readonly admission: Admission;
}

/**
 * Whether a request is a tool call whose headers repeat the revision, the method and the tool of its body. The SDK handles all
 * other requests, and refuses those whose headers are missing or different.
 */
function isPlainCall(exchange: Exchange): exchange is Exchange<JSONRPCRequest> {
  const { request, body } = exchange;
  if (!isMessage(body) || !('method' in body) || !('id' in body) || body.method !== 'tools/call') return false;
  const { _meta: meta, name } = body.params ?? {};
  return (
    meta?.[PROTOCOL_VERSION_META_KEY] === STATELESS_REVISION &&
    getHeader(request, 'mcp-protocol-version') === STATELESS_REVISION &&
    getHeader(request, 'mcp-method') === body.method &&
    getHeader(request, 'mcp-name') === name
  );
}

function beginStream(response: ServerResponse): void {
  if (!response.headersSent) openEventStream(response);
}

function notify(notification: JSONRPCNotification, response: ServerResponse): Promise<void> {
  beginStream(response);
  writeFrame(response, formatEvent(JSON.stringify(notification)));
  return Promise.resolve();
}

/** Answers an aborted request with an error. @throws HttpError unless the response is a stream already */
function refuse({ response, body, admission }: Exchange): void {
  if (!response.headersSent) {
    admission.assertValid();
    throw new HttpError(503, SHUTTING_DOWN);
  }
  const message = admission.isTokenEnded ? TOKEN_ENDED : SHUTTING_DOWN;
  const id = isRequest(body) ? body.id : undefined;
  writeFrame(response, formatEvent(JSON.stringify({ jsonrpc: '2.0', id, error: { code: INTERNAL_ERROR, message } })));
  response.end();
}
