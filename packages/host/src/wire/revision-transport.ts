import {
  ProtocolErrorCode,
  PROTOCOL_VERSION_META_KEY,
  UnsupportedProtocolVersionError,
  type JSONRPCErrorResponse,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type JSONRPCResultResponse,
  type MessageExtraInfo,
  type RequestId,
  type Transport,
  type TransportSendOptions,
} from '@modelcontextprotocol/server';

import { cancelledBy } from '../cancelled-by.ts';
import { downLevelRequest, downLevelResult } from './down-level.ts';
import { duplicateRequest, errorAnswer } from './error-answer.ts';
import { mendedError } from './session-error.ts';
import { takesText, type TextTransport } from './text-transport.ts';
import { MAX_RESULT, tooLarge } from './too-large.ts';

/** The revision whose requests carry everything. */
const STATELESS = '2026-07-28';

const UNANNOUNCED = 'Initialize a session first, or name revision and capabilities in _meta, as 2026-07-28 has it';

/** A UTF-16 unit has at most so many bytes in UTF-8. */
const BYTES_PER_UNIT = 3;

type Response = JSONRPCResultResponse | JSONRPCErrorResponse;

export interface RevisionOptions {
  /** Told of what a client does wrong that it cannot be answered. */
  readonly onError: (error: Error) => void;
  /** Bytes of an answer as JSON; over HTTP, clients can read any. Default: 64 KiB less than 10 MiB. */
  readonly maxResult?: number;
}

/**
 * A transport with the rules of the protocol that the SDK leaves out. Inbound: a session is opened once, a request names the revision
 * that is served, an id is used once at a time. Outbound: answers are written for the negotiated revision, and none is larger than its
 * client can read.
 */
export class RevisionTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage, extra?: MessageExtraInfo) => void;
  readonly #wire: Transport;
  readonly #text: TextTransport | undefined;
  readonly #onError: (error: Error) => void;
  readonly #maxResult: number;
  /** The methods of the requests that were handed on and not answered. */
  readonly #inFlight = new Map<RequestId, string>();
  /** Of the session; `undefined` before `initialize` and without a session. */
  #revision: string | undefined;

  constructor(wire: Transport, { onError, maxResult = MAX_RESULT }: RevisionOptions) {
    this.#wire = wire;
    this.#text = takesText(wire) ? wire : undefined;
    this.#onError = onError;
    this.#maxResult = maxResult;
  }

  get sessionId(): string | undefined {
    return this.#wire.sessionId;
  }

  async start(): Promise<void> {
    this.#wire.onmessage = (message, extra) => this.#receive(message, extra);
    this.#wire.onerror = (error) => this.onerror?.(error);
    this.#wire.onclose = () => {
      this.#inFlight.clear();
      this.onclose?.();
    };
    await this.#wire.start();
  }

  send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if (!('method' in message)) return this.#answer(message, options);
    const written = 'id' in message && this.#revision !== undefined ? downLevelRequest(message, this.#revision) : message;
    return this.#wire.send(written, options);
  }

  async close(): Promise<void> {
    await this.#wire.close();
  }

  setProtocolVersion(version: string): void {
    this.#revision = version;
    this.#wire.setProtocolVersion?.(version);
  }

  setSupportedProtocolVersions(versions: string[]): void {
    this.#wire.setSupportedProtocolVersions?.(versions);
  }

  #receive(message: JSONRPCMessage, extra: MessageExtraInfo | undefined): void {
    if ('method' in message) {
      if ('id' in message) {
        if (!this.#admits(message)) return;
        this.#inFlight.set(message.id, message.method);
      } else this.#free(cancelledBy(message));
    }
    this.onmessage?.(message, extra);
  }

  #admits(request: JSONRPCRequest): boolean {
    if (this.#inFlight.has(request.id)) {
      this.#onError(duplicateRequest(request.id, request.method));
      return false;
    }
    const refusal = this.#refusalOf(request);
    if (refusal === undefined) return true;
    this.#wire.send(refusal).catch(this.#onError);
    return false;
  }

  #refusalOf(request: JSONRPCRequest): JSONRPCErrorResponse | undefined {
    if (this.#revision === undefined && !this.#isOpening) return refusalOfFirst(request);
    if (request.method !== 'initialize') return undefined;
    return errorAnswer(request.id, ProtocolErrorCode.InvalidRequest, 'The session was initialized already');
  }

  get #isOpening(): boolean {
    return [...this.#inFlight.values()].includes('initialize');
  }

  /** A cancelled request is not answered, and its id is free again. */
  #free(cancelled: RequestId | undefined): void {
    if (cancelled !== undefined) this.#inFlight.delete(cancelled);
  }

  #answer(answer: Response, options: TransportSendOptions | undefined): Promise<void> {
    const method = answer.id === undefined ? undefined : this.#inFlight.get(answer.id);
    if (answer.id !== undefined) this.#inFlight.delete(answer.id);
    const written = this.#forRevision(answer, method);
    const text = this.#textOf(written);
    if (typeof text !== 'string') return this.#wire.send(text ?? tooLarge(written, method, this.#maxResult), options);
    return this.#text === undefined ? this.#wire.send(written, options) : this.#text.sendText(text, written, options);
  }

  #forRevision(answer: Response, method: string | undefined): Response {
    if ('error' in answer) return mendedError(answer, method, this.#revision !== undefined);
    if (this.#revision === undefined || method === undefined) return answer;
    const result = downLevelResult(answer.result, method, this.#revision);
    return result === answer.result ? answer : { ...answer, result };
  }

  /** The answer as JSON; `undefined` if it is too large, and what to send in its place if it is none. */
  #textOf(answer: Response): string | Response | undefined {
    try {
      const text = JSON.stringify(answer);
      if (text.length * BYTES_PER_UNIT <= this.#maxResult) return text;
      return Buffer.byteLength(text) <= this.#maxResult ? text : undefined;
    } catch (error) {
      // Longer than a string can be.
      if (error instanceof RangeError) return undefined;
      this.#onError(error instanceof Error ? error : new Error(String(error)));
      return errorAnswer(answer.id, ProtocolErrorCode.InternalError, 'The answer cannot be written as JSON');
    }
  }
}

/** Without a session, a request has to say everything of its client. */
function refusalOfFirst({ id, method, params }: JSONRPCRequest): JSONRPCErrorResponse | undefined {
  const requested = params?._meta?.[PROTOCOL_VERSION_META_KEY];
  if (requested === STATELESS || method === 'initialize' || method === 'ping') return undefined;
  if (typeof requested !== 'string') return errorAnswer(id, ProtocolErrorCode.InvalidParams, UNANNOUNCED);
  const { code, message, data } = new UnsupportedProtocolVersionError({ supported: [STATELESS], requested });
  return errorAnswer(id, code, message, data);
}
