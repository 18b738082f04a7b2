import type { McpServer, Transport } from '@modelcontextprotocol/server';

/** What a session is reached by. */
export interface SessionWire extends Transport {
  readonly sessionId: string;
  /** The revision that was agreed on; empty before. */
  readonly version: string;
  /** Whether requests wait for their answers, and somebody is connected. */
  readonly isAwaited: boolean;
  /** Whether the client can be reached by the server's own requests. */
  readonly isListening: boolean;
}

export interface SessionOptions<Wire extends SessionWire> {
  readonly wire: Wire;
  readonly server: McpServer;
  /** Who opened it. */
  readonly principal: string;
  /** What the server is connected to: the wire, with the rules of the protocol around it. */
  readonly transport: Transport;
}

/** How long a client may take to answer a ping. */
const PING_TIMEOUT_MS = 10_000;

/** One client that has opened a session over HTTP, from `initialize` until it says so, is silent for long, or the server ends. */
export class Session<Wire extends SessionWire = SessionWire> {
  readonly id: string;
  readonly wire: Wire;
  readonly principal: string;
  readonly #server: McpServer;
  readonly #transport: Transport;
  // Clocks that people see may jump.
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
   * Milliseconds since the client was last heard of; 0 while it waits for an answer. A call whose client is gone keeps no session
   * alive: nobody might ever ask for its result.
   */
  get idle(): number {
    if (this.wire.isAwaited) this.touch();
    return performance.now() - this.#used;
  }

  /** The client was heard of. */
  touch(): void {
    this.#used = performance.now();
  }

  /** `closed` is called once, whoever closes it. */
  async open(closed: () => void): Promise<void> {
    this.#transport.onclose = closed;
    await this.#server.connect(this.#transport);
  }

  /** Asks whether the client is still there. Rejects if it is not heard of within 10 seconds. */
  async ping(): Promise<void> {
    if (this.#pinging) return;
    this.#pinging = true;
    const asked = performance.now();
    try {
      await this.#server.server.request({ method: 'ping' }, { timeout: PING_TIMEOUT_MS });
    } catch (error) {
      // Who answers with an error is there.
      if (this.#used < asked) throw error;
    } finally {
      this.#pinging = false;
    }
  }

  async close(): Promise<void> {
    await this.#server.close();
  }
}
