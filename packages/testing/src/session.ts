import {
  Client,
  type CallToolRequestOptions,
  type CallToolResult,
  type ClientOptions,
  type LoggingLevel,
  type LoggingMessageNotificationParams,
  type Transport,
} from '@modelcontextprotocol/client';

import { capabilitiesOf, Respondent, type AnsweringOptions, type Elicitation } from './answers.ts';
import { REVISIONS, type Era } from './era.ts';
import { receiveInTurn } from './in-turn.ts';
import { askForLogs } from './log-level.ts';
import { PendingCall } from './pending-call.ts';
import { Inbox, type Received } from './received.ts';
import { UpdateReceiver, type ResourceUpdates } from './resource-updates.ts';

/** By name; they are sent as they are, so that a test can send wrong ones. */
type Arguments = Readonly<Record<string, unknown>>;

/** How a client connects, and what it answers. */
export interface SessionOptions extends AnsweringOptions {
  /** Default: `modern`. */
  readonly era?: Era;
  /** `clientInfo.name`, by which servers recognise a host. Default: `@org/mcp-testing`. */
  readonly clientName?: string;
  /** The revision of the protocol that it speaks, of that era. Default: the last one. */
  readonly revision?: string;
  /**
   * The level from which on the client asks for log messages: for the whole session, or on 2026-07-28 with each request.
   * Default: it does not ask; a session then gets all of them, on 2026-07-28 it gets none.
   */
  readonly logLevel?: LoggingLevel;
}

/** A connected client, with the calls that tests make most; close it by `await using`. */
export class Session implements AsyncDisposable {
  /** The official client. */
  readonly client: Client;
  readonly #era: Era;
  readonly #updates: UpdateReceiver;
  readonly #respondent: Respondent;
  readonly #logs = new Inbox<LoggingMessageNotificationParams>('log message');
  readonly #release: () => Promise<void>;

  private constructor(options: SessionOptions, release: () => Promise<void>) {
    this.client = new Client({ name: options.clientName ?? '@org/mcp-testing', version: '1.0.0' }, clientOptions(options));
    this.#era = options.era ?? 'modern';
    this.#updates = new UpdateReceiver(this.client);
    this.#respondent = new Respondent(this.client, options);
    this.#release = release;
    this.client.setNotificationHandler('notifications/message', ({ params }) => this.#logs.add(params));
    this.client.onclose = (): void => {
      for (const received of [this.#updates, this.#respondent, this.#logs]) received.end();
    };
  }

  /** Connects a client over a transport; `release` runs after it was closed. */
  static async open(transport: Transport, options: SessionOptions, release: () => Promise<void>): Promise<Session> {
    const session = new Session(options, release);
    try {
      await session.#connect(transport, options.logLevel);
    } catch (error) {
      await session[Symbol.asyncDispose]();
      throw error;
    }
    return session;
  }

  /** The log messages that the server sent. */
  get logs(): Received<LoggingMessageNotificationParams> {
    return this.#logs;
  }

  /** The forms that the server asked to fill in, with the answers it was given. */
  get elicited(): Received<Elicitation> {
    return this.#respondent.elicited;
  }

  /** The names of the tools, in the server's order. */
  async toolNames(): Promise<readonly string[]> {
    return (await this.client.listTools()).tools.map(({ name }) => name);
  }

  /** Calls a tool that has to succeed; throws its text if it fails. */
  async call(name: string, args: Arguments = {}, options: CallToolRequestOptions = {}): Promise<CallToolResult> {
    const result = await this.client.callTool({ name, arguments: { ...args } }, options);
    if (result.isError === true) throw new Error(`${name} failed: ${textOf(result)}`);
    return result;
  }

  /** Starts to call a tool that has to succeed, to see its progress or to cancel it. */
  start(name: string, args: Arguments = {}): PendingCall {
    return new PendingCall((options) => this.call(name, args, options));
  }

  /** Calls a tool that has to succeed; resolves to its text. */
  async text(name: string, args: Arguments = {}): Promise<string> {
    return textOf(await this.call(name, args));
  }

  /** Calls a tool that has to fail; resolves to the text of its error. */
  async fails(name: string, args: Arguments = {}): Promise<string> {
    const result = await this.client.callTool({ name, arguments: { ...args } });
    if (result.isError !== true) throw new Error(`${name} did not fail: ${textOf(result)}`);
    return textOf(result);
  }

  /** Subscribes to a resource, in the way of the era; rejects if the server does not watch it. */
  subscribe(uri: string): Promise<ResourceUpdates> {
    return this.#updates.subscribe(uri, this.#era === 'modern');
  }

  /** Closes the client, then disposes of the server object or ends the process. */
  async [Symbol.asyncDispose](): Promise<void> {
    try {
      await this.client.close();
    } finally {
      await this.#release();
    }
  }

  async #connect(transport: Transport, logLevel: LoggingLevel | undefined): Promise<void> {
    if (logLevel !== undefined && this.#era === 'modern') askForLogs(transport, logLevel);
    await this.client.connect(transport);
    receiveInTurn(transport);
    if (logLevel !== undefined && this.#era === 'legacy') await this.client.setLoggingLevel(logLevel);
  }
}

function clientOptions(options: SessionOptions): ClientOptions {
  const { era = 'modern' } = options;
  const { revision = REVISIONS[era] } = options;
  const negotiation =
    era === 'modern' ? { versionNegotiation: { mode: { pin: revision } } } : { supportedProtocolVersions: [revision] };
  return { ...negotiation, capabilities: capabilitiesOf(options) };
}

function textOf({ content }: CallToolResult): string {
  return content.map((block) => (block.type === 'text' ? block.text : `[${block.type}]`)).join('\n');
}
