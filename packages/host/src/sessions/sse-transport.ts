import type { ServerResponse } from 'node:http';

import type { JSONRPCMessage, MessageExtraInfo, RequestId, Transport } from '@modelcontextprotocol/server';

import { createCancellation, readCancelledId } from '../protocol/json-rpc.ts';
import { TOKEN_ENDED, type Admission } from '../auth/admission.ts';
import { formatEvent, openEventStream, writeFrame } from '../http-messages/event-frames.ts';
import { INTERNAL_ERROR } from '../http-messages/http-error.ts';

/** The transport of one session over HTTP with server-sent events (2024-11-05): one stream carries all messages of the server. */
export class SseTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage, extra?: MessageExtraInfo) => void;
  readonly sessionId: string;
  readonly #response: ServerResponse;
  /** Functions to call when a request is answered or cancelled, by request id. */
  readonly #unanswered = new Map<RequestId, () => void>();
  #version = '';
  #closed = false;

  constructor(sessionId: string, response: ServerResponse) {
    this.sessionId = sessionId;
    this.#response = response;
  }

  /** Negotiated revision; empty before `initialize`. */
  get version(): string {
    return this.#version;
  }

  /** Whether the client waits for a response. The client is connected as long as the session is open. */
  get isAwaited(): boolean {
    return this.#unanswered.size > 0;
  }

  /** Whether the client can receive requests of the server: the stream is open as long as the session. */
  get isListening(): boolean {
    return !this.#closed;
  }

  /** Opens the stream. */
  async start(): Promise<void> {
    openEventStream(this.#response);
    this.#response.once('close', () => void this.close());
    // The event 'close' fires only once and may already have fired.
    if (this.#response.destroyed) await this.close();
  }

  /** Sends the client the URL to which it posts. */
  sendEndpoint(endpoint: string): void {
    writeFrame(this.#response, `event: endpoint\ndata: ${endpoint}\n\n`);
  }

  setProtocolVersion(version: string): void {
    this.#version = version;
  }

  /** Number of unanswered requests. */
  get inFlight(): number {
    return this.#unanswered.size;
  }

  /** Whether a request with this id is unanswered. */
  isInFlight(id: RequestId): boolean {
    return this.#unanswered.has(id);
  }

  /** Passes a posted message on to the server. Resolves when the message is answered or cancelled, or needs no response. */
  async receive(message: JSONRPCMessage, admission: Admission): Promise<void> {
    const answered = 'method' in message && 'id' in message ? this.#whenSettled(message.id) : undefined;
    const { auth } = admission;
    if (answered !== undefined && 'id' in message && message.id !== undefined) {
      const { id } = message;
      admission.onTokenEnd(() => void this.#revoke(id));
    }
    // The SDK detects HTTP by `closeSSEStream`. The function does nothing, because only the client closes the stream of the
    // session.
    const extra = { ...(auth !== undefined && { authInfo: auth }), closeSSEStream: () => undefined };
    this.onmessage?.(message, extra);
    const cancelled = readCancelledId(message);
    if (cancelled !== undefined) this.#settle(cancelled);
    await answered;
  }

  send(message: JSONRPCMessage): Promise<void> {
    if (this.#closed) return Promise.resolve();
    // Serialization may throw, so it precedes the changes of state.
    const frame = formatEvent(JSON.stringify(message));
    if (!('method' in message) && message.id !== undefined) this.#settle(message.id);
    writeFrame(this.#response, frame);
    return Promise.resolve();
  }

  close(): Promise<void> {
    if (this.#closed) return Promise.resolve();
    this.#closed = true;
    const error = { code: INTERNAL_ERROR, message: 'The session was closed' };
    for (const id of this.#unanswered.keys()) {
      writeFrame(this.#response, formatEvent(JSON.stringify({ jsonrpc: '2.0', id, error })));
      this.#settle(id);
    }
    this.#response.end();
    this.onclose?.();
    return Promise.resolve();
  }

  /** Aborts a request whose token has ended, and answers it with an error. */
  async #revoke(id: RequestId): Promise<void> {
    if (!this.#unanswered.has(id)) return;
    this.onmessage?.(createCancellation(id, TOKEN_ENDED));
    await this.send({ jsonrpc: '2.0', id, error: { code: INTERNAL_ERROR, message: TOKEN_ENDED } });
  }

  #whenSettled(id: RequestId): Promise<void> {
    return new Promise((resolve) => this.#unanswered.set(id, resolve));
  }

  #settle(id: RequestId): void {
    this.#unanswered.get(id)?.();
    this.#unanswered.delete(id);
  }
}
