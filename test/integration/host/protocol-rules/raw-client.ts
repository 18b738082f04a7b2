import { InMemoryTransport, type JSONRPCMessage } from '@modelcontextprotocol/server';
import { serveConnection } from '@org/mcp-host';
import { startProgram, type Received, type RunningProgram } from '@org/mcp-testing';

import { Inbox } from '../../support/inbox.ts';
import { compiledProgram } from '../../support/compiled-program.ts';
import { WireServer } from './wire-server.ts';

/** A received message whose form is not checked. */
export interface Arrived {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** A client that sends any message, valid or not. */
export interface RawClient extends AsyncDisposable {
  readonly received: Received<Arrived>;
  send(...messages: readonly unknown[]): void;
}

/** A raw client of a {@link WireServer}, over stdio. */
export class StdioClient implements RawClient {
  readonly program: RunningProgram;
  readonly received: Received<Arrived>;

  constructor(program: RunningProgram = startProgram(compiledProgram(new URL('wire-program.ts', import.meta.url)))) {
    this.program = program;
    const { stdout } = program;
    this.received = {
      get all(): readonly Arrived[] {
        return stdout.all.map(read);
      },
      next: async (matches = () => true) => read(await stdout.next((line) => matches(read(line)))),
    };
  }

  send(...messages: readonly unknown[]): void {
    this.write(messages.map((message) => `${JSON.stringify(message)}\n`).join(''));
  }

  write(bytes: string | Uint8Array): void {
    this.program.stdin.write(bytes);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.program[Symbol.asyncDispose]();
  }
}

/** A raw client of a {@link WireServer} in this process. */
export class MemoryClient implements RawClient {
  readonly received: Inbox<Arrived> = new Inbox<Arrived>();
  readonly #transport: InMemoryTransport;
  readonly #close: () => Promise<void>;

  constructor() {
    const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
    const handle = serveConnection(new WireServer(), serverSide);
    this.#transport = clientSide;
    this.#close = () => handle.close();
    clientSide.onmessage = (message) => this.received.add(message);
  }

  send(...messages: readonly unknown[]): void {
    for (const message of messages) void this.#transport.send(message as JSONRPCMessage);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close();
  }
}

/** Functions that create a raw client, by transport. Tests apply the same rules to the in-memory transport and to stdio. */
export const RAW_CLIENTS: readonly (readonly [string, () => RawClient])[] = [
  ['memory', () => new MemoryClient()],
  ['stdio', () => new StdioClient()],
];

export const SESSIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'] as const;

const clientInfo = { name: 'raw', version: '1.0.0' };

/** Returns parameters that contain only the `_meta` of a request of 2026-07-28. */
export function envelope(version = '2026-07-28'): { readonly _meta: Readonly<Record<string, unknown>> } {
  return {
    _meta: {
      'io.modelcontextprotocol/protocolVersion': version,
      'io.modelcontextprotocol/clientInfo': clientInfo,
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  };
}

export function request(id: unknown, method: string, params?: unknown): object {
  return { jsonrpc: '2.0', id, method, ...(params !== undefined && { params }) };
}

export function notification(method: string, params?: unknown): object {
  return { jsonrpc: '2.0', method, ...(params !== undefined && { params }) };
}

export function call(id: unknown, name: string, args: object = {}, more: object = {}): object {
  return request(id, 'tools/call', { name, arguments: args, ...more });
}

export function initialize(id: unknown, protocolVersion: string, capabilities: object = {}): object {
  return request(id, 'initialize', { protocolVersion, capabilities, clientInfo });
}

/** Opens a session of the given revision. Resolves when the response to `initialize` has arrived. */
export async function openSession(client: RawClient, revision: string, capabilities: object = {}): Promise<void> {
  client.send(initialize('open', revision, capabilities), notification('notifications/initialized'));
  await answerTo(client, 'open');
}

/** Resolves to the response to the request with this id. */
export function answerTo({ received }: RawClient, id: unknown): Promise<Arrived> {
  return received.next((message) => message.id === id && message.method === undefined);
}

function read(line: string): Arrived {
  return JSON.parse(line) as Arrived;
}
