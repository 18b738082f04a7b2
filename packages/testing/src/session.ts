import {
  Client,
  type CallToolRequestOptions,
  type CallToolResult,
  type ClientOptions,
  type Transport,
} from '@modelcontextprotocol/client';

import { UpdateReceiver, type ResourceUpdates } from './resource-updates.ts';

/** The two ways to speak: sessions opened by `initialize` (2025-11-25), or requests that carry everything (2026-07-28). */
export const ERAS = ['legacy', 'modern'] as const;

/** One of {@link ERAS}. */
export type Era = (typeof ERAS)[number];

/** The revision that a session of each era is pinned to. */
export const REVISIONS: Readonly<Record<Era, string>> = { legacy: '2025-11-25', modern: '2026-07-28' };

/** How a client connects. */
export interface SessionOptions {
  /** Default: `modern`. */
  readonly era?: Era;
  /** What the client answers when it is asked for its roots, each time. Default: it has none to tell. */
  readonly roots?: () => readonly { readonly uri: string; readonly name?: string }[];
}

/** A connected client, with the calls that tests make most; close it by `await using`. */
export class Session implements AsyncDisposable {
  /** The official client. */
  readonly client: Client;
  readonly #era: Era;
  readonly #updates: UpdateReceiver;
  readonly #release: () => Promise<void>;

  private constructor(client: Client, era: Era, release: () => Promise<void>) {
    this.client = client;
    this.#era = era;
    this.#updates = new UpdateReceiver(client);
    this.#release = release;
  }

  /** Connects a client over a transport; `release` runs after it was closed. */
  static async open(transport: Transport, options: SessionOptions, release: () => Promise<void>): Promise<Session> {
    const client = new Client({ name: '@org/mcp-testing', version: '1.0.0' }, clientOptions(options));
    const { roots } = options;
    if (roots !== undefined) client.setRequestHandler('roots/list', () => ({ roots: [...roots()] }));
    const session = new Session(client, options.era ?? 'modern', release);
    try {
      await client.connect(transport);
    } catch (error) {
      await session[Symbol.asyncDispose]();
      throw error;
    }
    return session;
  }

  /** The names of the tools, in the server's order. */
  async toolNames(): Promise<readonly string[]> {
    return (await this.client.listTools()).tools.map(({ name }) => name);
  }

  /** Calls a tool that has to succeed; throws its text if it fails. */
  async call(
    name: string,
    args: Readonly<Record<string, unknown>> = {},
    options: CallToolRequestOptions = {},
  ): Promise<CallToolResult> {
    const result = await this.client.callTool({ name, arguments: { ...args } }, options);
    if (result.isError === true) throw new Error(`${name} failed: ${textOf(result)}`);
    return result;
  }

  /** Calls a tool that has to succeed; resolves to its text. */
  async text(name: string, args: Readonly<Record<string, unknown>> = {}): Promise<string> {
    return textOf(await this.call(name, args));
  }

  /** Calls a tool that has to fail; resolves to the text of its error. */
  async fails(name: string, args: Readonly<Record<string, unknown>> = {}): Promise<string> {
    const result = await this.client.callTool({ name, arguments: { ...args } });
    if (result.isError !== true) throw new Error(`${name} did not fail: ${textOf(result)}`);
    return textOf(result);
  }

  /** Subscribes to a resource, in the way of the era; rejects if the server does not watch it. */
  subscribe(uri: string): Promise<ResourceUpdates> {
    return this.#updates.subscribe(uri, this.#era === 'modern');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      await this.client.close();
    } finally {
      await this.#release();
    }
  }
}

function clientOptions({ era = 'modern', roots }: SessionOptions): ClientOptions {
  const revision = REVISIONS[era];
  const negotiation =
    era === 'modern' ? { versionNegotiation: { mode: { pin: revision } } } : { supportedProtocolVersions: [revision] };
  return { ...negotiation, capabilities: roots === undefined ? {} : { roots: { listChanged: true } } };
}

function textOf({ content }: CallToolResult): string {
  return content.map((block) => (block.type === 'text' ? block.text : `[${block.type}]`)).join('\n');
}
