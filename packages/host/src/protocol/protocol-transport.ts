import {
  PROTOCOL_VERSION_META_KEY,
  ProtocolErrorCode,
  SdkError,
  SdkErrorCode,
  UnsupportedProtocolVersionError,
  type JSONRPCErrorResponse,
  type JSONRPCMessage,
  type JSONRPCNotification,
  type JSONRPCRequest,
  type JSONRPCResultResponse,
  type MessageExtraInfo,
  type RequestId,
  type Transport,
  type TransportSendOptions,
} from '@modelcontextprotocol/server';
import type { DirectCall, DirectCalls, Subscriptions } from '@org/mcp-decorators';

import { downLevelRequest, downLevelResult } from './down-level.ts';
import { createErrorResponse, duplicateRequest, readCancelledId } from './json-rpc.ts';
import { isListenRequest, readListenedUris, watchResources } from './validate-message.ts';
import { STATELESS_REVISION } from './revisions.ts';
import { correctSdkError } from './sdk-errors.ts';
import { isTextTransport, type TextTransport } from './text-transport.ts';
import { createTooLargeResponse, MAX_RESULT } from './too-large.ts';

const NOT_INITIALIZED =
  'Initialize a session first, or send the protocol version and the capabilities in _meta, as version 2026-07-28 requires';

/** Maximum number of bytes in UTF-8 for one UTF-16 code unit. */
const MAX_BYTES_PER_UNIT = 3;

type Response = JSONRPCResultResponse | JSONRPCErrorResponse;

export interface ProtocolOptions {
  /** Receives requests with an id that is in use, failures to send a response, and reasons why a resource is not watched. */
  readonly onError: (error: Error) => void;
  /** Maximum size of a response in bytes of JSON; HTTP clients accept any size. Default: 10 MiB less 64 KiB. */
  readonly maxResult?: number;
  /** Subscriptions of the server object. Default: requests for listen streams are passed on unchanged. */
  readonly subscriptions?: Subscriptions | undefined;
}

/** Owner of the subscriptions of a listen stream. */
interface ListenStream {
  /** Whether the watches are still being started; the SDK does not know the stream yet. */
  isOpening: boolean;
}

/** A request that was passed on, and is neither answered nor cancelled. */
interface RequestInFlight {
  readonly method: string;
  /** Present only for a listen stream that names resources. */
  readonly stream?: ListenStream | undefined;
  /** Present only for a call that does not run in the SDK. */
  readonly call?: DirectCall | undefined;
}

/**
 * A transport with the protocol rules that the SDK leaves out.
 *
 * Inbound: a session is initialized once, a request names the served revision, and the id of a request in flight is not used again.
 * The SDK serves `subscriptions/listen` without exposing the URIs: this class watches each URI before the SDK acknowledges the
 * stream, removes the URIs that cannot be watched, and releases all of them with the stream.
 *
 * Outbound: responses are written for the negotiated revision, and no response is larger than its client can read.
 *
 * Most tool calls run without the SDK, see {@link ProtocolTransport.useDirectCalls}.
 */
export class ProtocolTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage, extra?: MessageExtraInfo) => void;
  readonly #wire: Transport;
  readonly #text: TextTransport | undefined;
  readonly #subscriptions: Subscriptions | undefined;
  readonly #onError: (error: unknown) => void;
  readonly #maxResult: number;
  readonly #inFlight = new Map<RequestId, RequestInFlight>();
  /** Revision of the session; `undefined` before `initialize` and without a session. */
  #revision: string | undefined;
  #directCalls: DirectCalls | undefined;

  constructor(wire: Transport, { onError, maxResult = MAX_RESULT, subscriptions }: ProtocolOptions) {
    this.#wire = wire;
    this.#text = isTextTransport(wire) ? wire : undefined;
    this.#subscriptions = subscriptions;
    this.#onError = (error) => onError(error instanceof Error ? error : new Error(String(error)));
    this.#maxResult = maxResult;
  }

  get sessionId(): string | undefined {
    return this.#wire.sessionId;
  }

  async start(): Promise<void> {
    this.#wire.onmessage = (message, extra) => this.#receive(message, extra);
    this.#wire.onerror = (error) => this.onerror?.(error);
    this.#wire.onclose = () => {
      this.#endAll();
      this.onclose?.();
    };
    await this.#wire.start();
  }

  send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if (!('method' in message)) return this.#sendResponse(message, options);
    const written = 'id' in message && this.#revision !== undefined ? downLevelRequest(message, this.#revision) : message;
    return this.#wire.send(written, options);
  }

  async close(): Promise<void> {
    this.#endAll();
    await this.#wire.close();
  }

  /** Runs tool calls by these direct calls, which belong to the protocol instance that is connected to this transport. */
  useDirectCalls(directCalls: DirectCalls): void {
    this.#directCalls = directCalls;
  }

  setProtocolVersion(version: string): void {
    this.#revision = version;
    this.#wire.setProtocolVersion?.(version);
  }

  setSupportedProtocolVersions(versions: string[]): void {
    this.#wire.setSupportedProtocolVersions?.(versions);
  }

  #receive(message: JSONRPCMessage, extra: MessageExtraInfo | undefined): void {
    if (!('method' in message)) this.onmessage?.(message, extra);
    else if ('id' in message) this.#receiveRequest(message, extra);
    else this.#receiveNotification(message, extra);
  }

  #receiveRequest(request: JSONRPCRequest, extra: MessageExtraInfo | undefined): void {
    const { id, method } = request;
    if (!this.#accepts(request)) return;
    if (this.#beginDirectCall(request, extra)) return;
    const subscriptions = isListenRequest(request) && readListenedUris(request).length > 0 ? this.#subscriptions : undefined;
    const stream = subscriptions && { isOpening: true };
    this.#inFlight.set(id, { method, stream });
    if (subscriptions === undefined || stream === undefined) this.onmessage?.(request, extra);
    else this.#openStream(request, stream, subscriptions, extra).catch(this.#onError);
  }

  #receiveNotification(message: JSONRPCNotification, extra: MessageExtraInfo | undefined): void {
    const cancelled = this.#end(readCancelledId(message));
    cancelled?.call?.cancel(message.params?.['reason']);
    // The cancellation of a direct call, or of a stream that is still opening, is not passed on, because the SDK does not know
    // them.
    if (cancelled?.call === undefined && cancelled?.stream?.isOpening !== true) this.onmessage?.(message, extra);
  }

  /** Begins a tool call without the SDK. Returns `false` if the SDK has to serve the request. */
  #beginDirectCall(request: JSONRPCRequest, extra: MessageExtraInfo | undefined): boolean {
    const directCalls = this.#directCalls;
    const { id, method } = request;
    const { sessionId } = this;
    const notify = (notification: JSONRPCNotification): Promise<void> => this.send(notification, { relatedRequestId: id });
    const call = directCalls?.begin(request, { extra, channel: { sessionId, notify } });
    if (directCalls === undefined || call === undefined) return false;
    const inFlight = { method, call };
    this.#inFlight.set(id, inFlight);
    const finish = async (): Promise<void> => {
      const response = await call.response;
      if (this.#inFlight.get(id) !== inFlight) return;
      if (response !== undefined) return this.send(response);
      this.#inFlight.set(id, { method });
      directCalls.settle(id, call);
      this.onmessage?.(request, extra);
    };
    finish().catch(this.#onError);
    return true;
  }

  /** Passes the request on with the URIs that are watched, unless the client cancelled the request while the watches started. */
  async #openStream(
    request: JSONRPCRequest,
    stream: ListenStream,
    subscriptions: Subscriptions,
    extra: MessageExtraInfo | undefined,
  ): Promise<void> {
    const narrowed = await watchResources(request, { subscriptions, owner: stream, onError: this.#onError });
    stream.isOpening = false;
    if (this.#inFlight.get(request.id)?.stream === stream) this.onmessage?.(narrowed, extra);
  }

  #accepts(request: JSONRPCRequest): boolean {
    if (this.#inFlight.has(request.id)) {
      this.#onError(duplicateRequest(request.id, request.method));
      return false;
    }
    const error = this.#rejectOutOfOrder(request);
    if (error === undefined) return true;
    this.#wire.send(error).catch(this.#onError);
    return false;
  }

  #rejectOutOfOrder(request: JSONRPCRequest): JSONRPCErrorResponse | undefined {
    if (this.#revision === undefined && !this.#isInitializing) return rejectUnknownClient(request);
    if (request.method !== 'initialize') return undefined;
    return createErrorResponse(request.id, ProtocolErrorCode.InvalidRequest, 'The session is already initialized');
  }

  get #isInitializing(): boolean {
    for (const { method } of this.#inFlight.values()) if (method === 'initialize') return true;
    return false;
  }

  /** Removes a request that was answered or cancelled: its id is free again, and the resources of its stream are released. */
  #end(id: RequestId | undefined): RequestInFlight | undefined {
    const request = id === undefined ? undefined : this.#inFlight.get(id);
    if (id === undefined || request === undefined) return undefined;
    this.#inFlight.delete(id);
    if (request.stream !== undefined) this.#subscriptions?.remove(request.stream).catch(this.#onError);
    return request;
  }

  #endAll(): void {
    const closed = new SdkError(SdkErrorCode.ConnectionClosed, 'Connection closed');
    for (const id of this.#inFlight.keys()) this.#end(id)?.call?.cancel(closed);
  }

  #sendResponse(response: Response, options: TransportSendOptions | undefined): Promise<void> {
    const method = this.#end(response.id)?.method;
    const written = this.#forRevision(response, method);
    const text = this.#serialize(written);
    if (typeof text !== 'string')
      return this.#wire.send(text ?? createTooLargeResponse(written, method, this.#maxResult), options);
    return this.#text === undefined ? this.#wire.send(written, options) : this.#text.sendText(text, written, options);
  }

  #forRevision(response: Response, method: string | undefined): Response {
    if ('error' in response) return correctSdkError(response, method, this.#revision !== undefined);
    if (this.#revision === undefined || method === undefined) return response;
    const result = downLevelResult(response.result, method, this.#revision);
    return result === response.result ? response : { ...response, result };
  }

  /** Returns the JSON of a response; `undefined` if it is too large, or an error response if it cannot be serialized. */
  #serialize(response: Response): string | Response | undefined {
    try {
      const text = JSON.stringify(response);
      if (text.length * MAX_BYTES_PER_UNIT <= this.#maxResult) return text;
      return Buffer.byteLength(text) <= this.#maxResult ? text : undefined;
    } catch (error) {
      // The response is too large, because its JSON is longer than the maximum length of a string.
      if (error instanceof RangeError) return undefined;
      this.#onError(error);
      return createErrorResponse(response.id, ProtocolErrorCode.InternalError, 'The response cannot be serialized as JSON');
    }
  }
}

/** Returns an error unless the request names the stateless protocol version, or is `initialize` or `ping`. */
function rejectUnknownClient({ id, method, params }: JSONRPCRequest): JSONRPCErrorResponse | undefined {
  const requested = params?._meta?.[PROTOCOL_VERSION_META_KEY];
  if (requested === STATELESS_REVISION || method === 'initialize' || method === 'ping') return undefined;
  if (typeof requested !== 'string') return createErrorResponse(id, ProtocolErrorCode.InvalidParams, NOT_INITIALIZED);
  const { code, message, data } = new UnsupportedProtocolVersionError({ supported: [STATELESS_REVISION], requested });
  return createErrorResponse(id, code, message, data);
}
