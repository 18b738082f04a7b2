import {
  Client,
  type CallToolRequestOptions,
  type CallToolResult,
  type ClientOptions,
  type LoggingLevel,
  type LoggingMessageNotificationParams,
  type Transport,
  type Progress,
  isJSONRPCRequest,
  LOG_LEVEL_META_KEY,
  type JSONRPCMessage,
} from '@modelcontextprotocol/client';

import { deriveCapabilities, Respondent, type AnswerOptions, type Elicitation } from './answers.ts';
import { REVISIONS, type Era } from './era.ts';
import { trackHiddenErrors } from './hidden-errors.ts';
import { Inbox, type Received } from './inbox.ts';

/** Arguments by name. They are not checked, so that a test can send invalid ones. */
type Arguments = Readonly<Record<string, unknown>>;

/** Options for a client connection. */
export interface SessionOptions extends AnswerOptions {
  /** Protocol era. Default: `modern`. */
  readonly era?: Era;
  /** `clientInfo.name`, by which servers recognise a host. Default: `@org/mcp-testing`. */
  readonly clientName?: string;
  /** Protocol revision within the era. Default: the latest revision. */
  readonly revision?: string;
  /**
   * Minimum level of the requested log messages: for the whole session, or in protocol 2026-07-28 for each request. Default: the
   * client requests no level; it then receives all messages in a session, and none in protocol 2026-07-28.
   */
  readonly logLevel?: LoggingLevel;
}

/** A connected client with the calls that tests need most. Close it with `await using`. */
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

  /** Connects a client over a transport. `release` is called after the client was closed. */
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

  /** Log messages of the server. */
  get logs(): Received<LoggingMessageNotificationParams> {
    return this.#logs;
  }

  /** Forms that the server requested, with their answers. */
  get elicited(): Received<Elicitation> {
    return this.#respondent.elicited;
  }

  /** Returns the names of the tools in the order of the server. */
  async toolNames(): Promise<readonly string[]> {
    return (await this.client.listTools()).tools.map(({ name }) => name);
  }

  /** Calls a tool that must succeed. Rejects with the text of the error if the tool fails; its `cause` is described at {@link connect}. */
  call(name: string, args: Arguments = {}, options: CallToolRequestOptions = {}): Promise<CallToolResult> {
    return trackHiddenErrors(async (hidden) => {
      const result = await this.client.callTool({ name, arguments: { ...args } }, options);
      if (result.isError !== true) return result;
      // The last hidden error is the one that ended the call.
      const cause = isInternal(result) ? hidden.pop()?.error : undefined;
      throw new Error(`${name} failed: ${joinText(result)}`, { cause });
    });
  }

  /** Starts a tool call that must succeed, to observe its progress or to cancel it. */
  start(name: string, args: Arguments = {}): PendingCall {
    return new PendingCall((options) => this.call(name, args, options));
  }

  /** Calls a tool that must succeed. Resolves to its text. */
  async text(name: string, args: Arguments = {}): Promise<string> {
    return joinText(await this.call(name, args));
  }

  /** Calls a tool that must fail. Resolves to the text of its error. */
  fails(name: string, args: Arguments = {}): Promise<string> {
    return trackHiddenErrors(async () => {
      const result = await this.client.callTool({ name, arguments: { ...args } });
      if (result.isError !== true) throw new Error(`${name} did not fail: ${joinText(result)}`);
      return joinText(result);
    });
  }

  /** Subscribes to a resource, in the form that the era requires. Rejects if the server does not watch the resource. */
  subscribe(uri: string): Promise<ResourceUpdates> {
    return this.#updates.subscribe(uri, this.#era === 'modern');
  }

  /** Closes the client, then disposes of the server object or ends the process that was created for the session, if any. */
  async [Symbol.asyncDispose](): Promise<void> {
    try {
      await this.client.close();
    } finally {
      await this.#release();
    }
  }

  async #connect(transport: Transport, logLevel: LoggingLevel | undefined): Promise<void> {
    if (logLevel !== undefined && this.#era === 'modern') requestLogs(transport, logLevel);
    await this.client.connect(transport);
    deliverInOrder(transport);
    if (logLevel !== undefined && this.#era === 'legacy') await this.client.setLoggingLevel(logLevel);
  }
}

function clientOptions(options: SessionOptions): ClientOptions {
  const { era = 'modern' } = options;
  const { revision = REVISIONS[era] } = options;
  const negotiation =
    era === 'modern' ? { versionNegotiation: { mode: { pin: revision } } } : { supportedProtocolVersions: [revision] };
  return { ...negotiation, capabilities: deriveCapabilities(options) };
}

function isInternal({ _meta }: CallToolResult): boolean {
  return Object(_meta?.['error']).code === 'INTERNAL';
}

function joinText({ content }: CallToolResult): string {
  return content.map((block) => (block.type === 'text' ? block.text : `[${block.type}]`)).join('\n');
}

/**
 * Progress messages that the official client itself reports in protocol 2026-07-28, to keep a call alive while it answers the
 * server.
 */
const CLIENT_REPORT = /^Fulfilling input required by '.+' \(round \d+\)$/;

/** A running tool call. */
export class PendingCall {
  /**
   * Resolves to the result. Rejects if the call failed or was cancelled. A rejection that the test does not handle is
   * ignored.
   */
  readonly result: Promise<CallToolResult>;
  readonly #progress = new Inbox<Progress>('progress report');
  readonly #controller = new AbortController();

  /** Starts the call and requests progress reports. */
  constructor(call: (options: CallToolRequestOptions) => Promise<CallToolResult>) {
    const onprogress = (report: Progress): void => {
      if (!CLIENT_REPORT.test(report.message ?? '')) this.#progress.add(report);
    };
    this.result = call({ signal: this.#controller.signal, onprogress }).finally(() => this.#progress.end());
    this.result.catch(() => undefined);
  }

  /** Progress reports of the server. */
  get progress(): Received<Progress> {
    return this.#progress;
  }

  /** Cancels the call, in the form that era and transport require. {@link PendingCall.result} rejects with the reason. */
  cancel(reason = 'cancelled by its client'): void {
    this.#controller.abort(reason);
  }
}

/**
 * Delivers each message of a connected transport after the previous one was processed.
 *
 * The official client processes a result at once, but a notification a moment later. If both arrive together, as over a pipe,
 * progress reports before a result would be dropped.
 */
function deliverInOrder(transport: Transport): void {
  const { onmessage } = transport;
  if (onmessage === undefined) return;
  let turn = Promise.resolve();
  transport.onmessage = (message, extra) => {
    turn = turn.then(() => onmessage(message, extra)).catch((error: Error) => transport.onerror?.(error));
  };
}

/**
 * Adds the log level to every request of a transport, as protocol 2026-07-28 requires. A level in the request itself takes
 * precedence.
 */
function requestLogs(transport: Transport, level: LoggingLevel): void {
  const send = transport.send.bind(transport);
  transport.send = (message, options) => send(addLogLevel(message, level), options);
}

function addLogLevel(message: JSONRPCMessage, level: LoggingLevel): JSONRPCMessage {
  if (!isJSONRPCRequest(message)) return message;
  return { ...message, params: { ...message.params, _meta: { [LOG_LEVEL_META_KEY]: level, ...message.params?._meta } } };
}

/** Updates of one subscribed resource. `await using` ends the subscription. */
export class ResourceUpdates implements AsyncDisposable {
  readonly #unsubscribe: () => Promise<unknown>;
  readonly #updates = new Inbox<undefined>('update');

  /** Created by `Session.subscribe`. `unsubscribe` is called at the end of the subscription. */
  constructor(unsubscribe: () => Promise<unknown>) {
    this.#unsubscribe = unsubscribe;
  }

  /** Number of updates received so far. */
  get count(): number {
    return this.#updates.all.length;
  }

  /** Resolves with the next update that no earlier call has consumed. Rejects if the subscription has ended. */
  async next(): Promise<void> {
    await this.#updates.next();
  }

  /** Records an update. The receiver of notifications calls this method for each update of the resource. */
  receive(): void {
    this.#updates.add(undefined);
  }

  /** Ends the updates. The session calls this method when no further update can arrive. */
  end(): void {
    this.#updates.end();
  }

  /** Ends the subscription. Calls that wait for an update then reject. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.end();
    await this.#unsubscribe();
  }
}

/** The subscriptions of one client, in the form that its era requires. */
class UpdateReceiver {
  readonly #client: Client;
  readonly #subscribed = new Map<string, ResourceUpdates>();

  constructor(client: Client) {
    this.#client = client;
    client.setNotificationHandler('notifications/resources/updated', ({ params: { uri } }) =>
      this.#subscribed.get(uri)?.receive(),
    );
  }

  /** Subscribes to a resource. Rejects if the server does not watch the resource. */
  async subscribe(uri: string, modern: boolean): Promise<ResourceUpdates> {
    const end = modern ? await this.#listen(uri) : await this.#subscribe(uri);
    const updates = new ResourceUpdates(async () => {
      this.#subscribed.delete(uri);
      await end();
    });
    this.#subscribed.set(uri, updates);
    return updates;
  }

  /** Marks the end: must be called when the connection is closed. */
  end(): void {
    for (const updates of this.#subscribed.values()) updates.end();
  }

  async #listen(uri: string): Promise<() => Promise<unknown>> {
    const stream = await this.#client.listen({ resourceSubscriptions: [uri] });
    if (stream.honoredFilter.resourceSubscriptions?.includes(uri) === true) return () => stream.close();
    await stream.close();
    throw new Error(`the server does not watch ${uri}`);
  }

  async #subscribe(uri: string): Promise<() => Promise<unknown>> {
    await this.#client.subscribeResource({ uri });
    return () => this.#client.unsubscribeResource({ uri });
  }
}
