import type { Transport } from '@modelcontextprotocol/server';
import type { ProtocolServer } from '@org/mcp-decorators';

import { HttpError } from '../http-messages/http-error.ts';
import type { ProtocolTransport } from '../protocol/protocol-transport.ts';

/** The transport of a session. */
export interface SessionWire extends Transport {
  readonly sessionId: string;
  /** Negotiated revision; empty before `initialize`. */
  readonly version: string;
  /** Whether a connected client waits for a response. */
  readonly isAwaited: boolean;
  /** Whether the client can receive requests of the server. */
  readonly isListening: boolean;
}

export interface SessionOptions<Wire extends SessionWire> {
  readonly wire: Wire;
  readonly server: ProtocolServer;
  /** Key of the principal that opened the session. */
  readonly principal: string;
  /** The transport `wire` with the protocol rules; the SDK server is connected to this transport. */
  readonly transport: ProtocolTransport;
}

/** Time limit in milliseconds for the answer to a ping. */
const PING_TIMEOUT_MS = 10_000;

/** A session over HTTP, from `initialize` until the client ends it, it is idle for too long, or the server closes. */
export class Session<Wire extends SessionWire = SessionWire> {
  readonly id: string;
  readonly wire: Wire;
  readonly principal: string;
  readonly #server: ProtocolServer;
  readonly #transport: ProtocolTransport;
  // The clock is monotonic, because the system clock may jump.
  #used: number = performance.now();
  #pinging = false;

  constructor({ wire, server, principal, transport }: SessionOptions<Wire>) {
    this.id = wire.sessionId;
    this.wire = wire;
    this.principal = principal;
    this.#server = server;
    this.#transport = transport;
  }

  /**
   * Milliseconds since the last message of the client; 0 while a connected client waits for a response. A call whose client is gone does not
   * keep the session alive, because its result may never be read.
   */
  get idle(): number {
    if (this.wire.isAwaited) this.touch();
    return performance.now() - this.#used;
  }

  /** Resets the idle time. */
  touch(): void {
    this.#used = performance.now();
  }

  /** @param closed called once when the session is closed by either side */
  async open(closed: () => void): Promise<void> {
    this.#transport.onclose = closed;
    this.#transport.useDirectCalls(this.#server.directCalls);
    await this.#server.connect(this.#transport);
  }

  /** Pings the client. Rejects if the client sends nothing within 10 seconds. */
  async ping(): Promise<void> {
    if (this.#pinging) return;
    this.#pinging = true;
    const sentAt = performance.now();
    try {
      await this.#server.server.request({ method: 'ping' }, { timeout: PING_TIMEOUT_MS });
    } catch (error) {
      // Any message since the ping, even an error, shows that the client is alive.
      if (this.#used < sentAt) throw error;
    } finally {
      this.#pinging = false;
    }
  }

  async close(): Promise<void> {
    await this.#server.close();
  }
}

/**
 * Creates the error for an unknown session id. Principals other than the owner receive the same error, so that session
 * ids are not revealed.
 */
export function unknownSession(): HttpError {
  return new HttpError(404, 'Unknown session; initialize a new one', { code: -32_001 });
}
