import type { ServerResponse } from 'node:http';

import type { JSONRPCMessage, MessageExtraInfo, RequestId, Transport } from '@modelcontextprotocol/server';

import { cancellation, cancelledBy } from '../cancelled-by.ts';
import { TOKEN_OVER, type Admission } from '../http/admission.ts';
import { messageFrame, openEventStream, writeFrame } from '../http/event-source.ts';
import { INTERNAL_ERROR } from '../http/refusal.ts';

/** The transport of one session over HTTP with server-sent events (2024-11-05): one stream carries all that the server says. */
export class SseTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage, extra?: MessageExtraInfo) => void;
  readonly sessionId: string;
  readonly #response: ServerResponse;
  /** Requests, and what to call when they need no answer any more. */
  readonly #unanswered = new Map<RequestId, () => void>();
  #version = '';
  #closed = false;

  constructor(sessionId: string, response: ServerResponse) {
    this.sessionId = sessionId;
    this.#response = response;
  }

  /** The revision that was agreed on; empty before. */
  get version(): string {
    return this.#version;
  }

  /** Whether requests wait for their answers; whoever asked is connected for as long as there is a session. */
  get isAwaited(): boolean {
    return this.#unanswered.size > 0;
  }

  /** There is no session without its stream. */
  get isListening(): boolean {
    return !this.#closed;
  }

  /** Opens the stream; its client is told where to post by {@link tell}. */
  async start(): Promise<void> {
    openEventStream(this.#response);
    this.#response.once('close', () => void this.close());
    // It says so but once, and perhaps said it already.
    if (this.#response.destroyed) await this.close();
  }

  /** Tells the client where to post. */
  tell(endpoint: string): void {
    writeFrame(this.#response, `event: endpoint\ndata: ${endpoint}\n\n`);
  }

  setProtocolVersion(version: string): void {
    this.#version = version;
  }

  /** How many requests wait for their answers. */
  get inFlight(): number {
    return this.#unanswered.size;
  }

  /** Whether a request with this id waits for its answer. */
  isInFlight(id: RequestId): boolean {
    return this.#unanswered.has(id);
  }

  /** Hands a message that was posted to the server; resolves when it is answered, or need not be. */
  async receive(message: JSONRPCMessage, admission: Admission): Promise<void> {
    const answered = 'method' in message && 'id' in message ? this.#settled(message.id) : undefined;
    const { auth } = admission;
    if (answered !== undefined && 'id' in message && message.id !== undefined) {
      const { id } = message;
      admission.whenOver(() => void this.#revoke(id));
    }
    // By this the SDK knows HTTP; the one stream of the session is closed by nobody but its client.
    const extra = { ...(auth !== undefined && { authInfo: auth }), closeSSEStream: () => undefined };
    this.onmessage?.(message, extra);
    const cancelled = cancelledBy(message);
    if (cancelled !== undefined) this.#settle(cancelled);
    await answered;
  }

  send(message: JSONRPCMessage): Promise<void> {
    if (this.#closed) return Promise.resolve();
    // Before anything is changed, because it may throw.
    const frame = messageFrame(JSON.stringify(message));
    if (!('method' in message) && message.id !== undefined) this.#settle(message.id);
    writeFrame(this.#response, frame);
    return Promise.resolve();
  }

  close(): Promise<void> {
    if (this.#closed) return Promise.resolve();
    this.#closed = true;
    const error = { code: INTERNAL_ERROR, message: 'The session was closed' };
    for (const id of this.#unanswered.keys()) {
      writeFrame(this.#response, messageFrame(JSON.stringify({ jsonrpc: '2.0', id, error })));
      this.#settle(id);
    }
    this.#response.end();
    this.onclose?.();
    return Promise.resolve();
  }

  /** Aborts a request and answers with the reason. */
  async #revoke(id: RequestId): Promise<void> {
    if (!this.#unanswered.has(id)) return;
    this.onmessage?.(cancellation(id, TOKEN_OVER));
    await this.send({ jsonrpc: '2.0', id, error: { code: INTERNAL_ERROR, message: TOKEN_OVER } });
  }

  #settled(id: RequestId): Promise<void> {
    return new Promise((resolve) => this.#unanswered.set(id, resolve));
  }

  #settle(id: RequestId): void {
    this.#unanswered.get(id)?.();
    this.#unanswered.delete(id);
  }
}
