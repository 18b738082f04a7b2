import {
  InMemoryTransport,
  type JSONRPCErrorResponse,
  type JSONRPCMessage,
  type JSONRPCResultResponse,
} from '@modelcontextprotocol/server';
import { serveConnection, type ConnectionOptions } from '@org/mcp-host';

/** A JSON-RPC answer. */
export type Answer = Pick<JSONRPCResultResponse, 'result'> | Pick<JSONRPCErrorResponse, 'error'>;

interface Sent {
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** The metadata of every request of 2026-07-28, with the capabilities for forms, sampling and roots. */
export const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'wire', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} }, sampling: {}, roots: {} },
};

/** A client of 2026-07-28 that sends any request, valid or not. */
export class Wire implements AsyncDisposable {
  readonly #transport: InMemoryTransport;
  readonly #close: () => Promise<void>;
  readonly #waiting = new Map<unknown, (answer: Answer) => void>();
  #id = 0;

  private constructor(transport: InMemoryTransport, close: () => Promise<void>) {
    this.#transport = transport;
    this.#close = close;
    transport.onmessage = (message) => this.#receive(message);
  }

  static async to(server: object, options: ConnectionOptions = {}): Promise<Wire> {
    const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
    const handle = serveConnection(server, serverSide, options);
    const wire = new Wire(clientSide, () => handle.close());
    await clientSide.start();
    return wire;
  }

  /** Sends a request and resolves to its answer. */
  send({ method, params = {} }: Sent): Promise<Answer> {
    this.#id += 1;
    const id = this.#id;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, resolve);
      this.#transport.send({ jsonrpc: '2.0', id, method, params: { ...params, _meta: ENVELOPE } }).catch(reject);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close();
  }

  #receive(message: JSONRPCMessage): void {
    if (!('id' in message) || 'method' in message) return;
    this.#waiting.get(message.id)?.(message);
    this.#waiting.delete(message.id);
  }
}
