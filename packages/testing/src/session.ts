import { Client, type CallToolRequestOptions, type CallToolResult, type Transport } from '@modelcontextprotocol/client';

/** The two ways to speak: sessions opened by `initialize` (2025-11-25), or requests that carry everything (2026-07-28). */
export const ERAS = ['legacy', 'modern'] as const;

export type Era = (typeof ERAS)[number];

/** The revision that a session of each era is pinned to. */
export const REVISIONS: Readonly<Record<Era, string>> = { legacy: '2025-11-25', modern: '2026-07-28' };

/** How a client connects. */
export interface SessionOptions {
  /** Default: `modern`. */
  readonly era?: Era;
}

/** A connected client, with the calls that tests make most; close it by `await using`. */
export class Session implements AsyncDisposable {
  /** The official client. */
  readonly client: Client;
  readonly #release: () => Promise<void>;

  private constructor(client: Client, release: () => Promise<void>) {
    this.client = client;
    this.#release = release;
  }

  /** Connects a client over a transport; `release` runs after it was closed. */
  static async open(transport: Transport, { era = 'modern' }: SessionOptions, release: () => Promise<void>): Promise<Session> {
    const client = new Client({ name: '@org/mcp-testing', version: '1.0.0' }, clientOptions(era));
    const session = new Session(client, release);
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

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.close();
    await this.#release();
  }
}

function clientOptions(era: Era): ConstructorParameters<typeof Client>[1] {
  const revision = REVISIONS[era];
  return era === 'modern' ? { versionNegotiation: { mode: { pin: revision } } } : { supportedProtocolVersions: [revision] };
}

function textOf({ content }: CallToolResult): string {
  return content.map((block) => (block.type === 'text' ? block.text : `[${block.type}]`)).join('\n');
}
