import {
  textOf,
  type ClientCapabilities,
  type ClientContext,
  type Initialized,
  type Message,
  type ToolResult,
} from './messages.ts';

/** Revision of MCP Apps. */
const REVISION = '2026-01-26';
/** Maximum number of texts of a view that the model reads; older texts are dropped. */
const MAX_INFORMED = 20;

/** The error of a failed tool, or of a request that the client or the user refused. */
export class ToolFailure extends Error {
  override name = 'ToolFailure';
}

/** Functions that are called for the notifications of the client. */
export interface Listeners {
  readonly onInput: (input: Readonly<Record<string, unknown>>) => void;
  readonly onResult: (result: ToolResult) => void;
  readonly onCancelled: () => void;
  readonly onContext: (context: ClientContext) => void;
}

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** The connection of a view to the client that shows it: JSON-RPC in messages between the frame and its parent. */
export class Client {
  readonly #listeners: Listeners;
  readonly #waiting = new Map<number | string, Waiting>();
  #lastId = 0;
  #informed: readonly string[] = [];
  #capabilities: ClientCapabilities = {};

  constructor(listeners: Listeners) {
    this.#listeners = listeners;
    addEventListener('message', ({ source, data }: MessageEvent<Message>) => {
      if (source === parent && data?.jsonrpc === '2.0') this.#receive(data);
    });
  }

  /** Whether the client calls tools for views. */
  get canCall(): boolean {
    return this.#capabilities.serverTools !== undefined;
  }

  /** Whether the client saves files for views. */
  get canDownload(): boolean {
    return this.#capabilities.downloadFile !== undefined;
  }

  async initialize(name: string): Promise<ClientContext> {
    const params = { appInfo: { name, version: '1.0.0' }, appCapabilities: {}, protocolVersion: REVISION };
    const { hostContext = {}, hostCapabilities = {} } = (await this.#request('ui/initialize', params)) as Initialized;
    this.#capabilities = hostCapabilities;
    this.#notify('ui/notifications/initialized', {});
    return hostContext;
  }

  /** Calls a tool of the server. @throws ToolFailure with the text of the tool's error, or of the client's error */
  async call(name: string, args: Readonly<Record<string, unknown>>): Promise<ToolResult> {
    const result = (await this.#request('tools/call', { name, arguments: args })) as ToolResult;
    if (result.isError === true) throw new ToolFailure(textOf(result));
    return result;
  }

  /** Adds a text to what the model reads with the user's next message, if the client supports it. */
  informModel(text: string): void {
    if (this.#capabilities.updateModelContext === undefined) return;
    // Each request replaces the text of the previous request.
    this.#informed = [...this.#informed, text].slice(-MAX_INFORMED);
    const content = [{ type: 'text', text: this.#informed.join('\n') }];
    this.#request('ui/update-model-context', { content }).catch(() => undefined);
  }

  /** Lets the client save a file. @throws ToolFailure if the user or the client refused */
  async download(name: string, mimeType: string, text: string): Promise<void> {
    const resource = { uri: `file:///${encodeURIComponent(name)}`, mimeType, text };
    const result = (await this.#request('ui/download-file', { contents: [{ type: 'resource', resource }] })) as {
      readonly isError?: boolean;
    };
    if (result.isError === true) throw new ToolFailure('The file was not saved.');
  }

  resized(width: number, height: number): void {
    this.#notify('ui/notifications/size-changed', { width, height });
  }

  #receive(message: Message): void {
    const { id, method, params = {} } = message;
    if (method === undefined) this.#settle(message);
    else if (id === undefined) this.#hear(method, params);
    else if (method === 'ping' || method === 'ui/resource-teardown') this.#post({ id, result: {} });
    else this.#post({ id, error: { code: -32601, message: 'Method not found' } });
  }

  #settle({ id, result, error }: Message): void {
    const waiting = id === undefined ? undefined : this.#waiting.get(id);
    if (id === undefined || waiting === undefined) return;
    this.#waiting.delete(id);
    if (error === undefined) waiting.resolve(result);
    else waiting.reject(new ToolFailure(error.message));
  }

  #hear(method: string, params: Readonly<Record<string, unknown>>): void {
    const { onInput, onResult, onCancelled, onContext } = this.#listeners;
    if (method === 'ui/notifications/tool-input') onInput((params['arguments'] ?? {}) as Readonly<Record<string, unknown>>);
    if (method === 'ui/notifications/tool-result') onResult(params as unknown as ToolResult);
    if (method === 'ui/notifications/tool-cancelled') onCancelled();
    if (method === 'ui/notifications/host-context-changed') onContext(params);
  }

  #request(method: string, params: object): Promise<unknown> {
    const id = (this.#lastId += 1);
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#post({ id, method, params });
    });
  }

  #notify(method: string, params: object): void {
    this.#post({ method, params });
  }

  #post(message: object): void {
    // The origin of the client is not known. The messages contain only what the client already has.
    parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
  }
}
