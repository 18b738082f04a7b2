import { ENVELOPE } from '../wire.ts';
import { EventReader, type Message, type SentEvent } from './event-reader.ts';

const JSON_TYPE = 'application/json';
const ACCEPT = 'application/json, text/event-stream';

export type Headers = Readonly<Record<string, string>>;

export interface ClientOptions {
  /** Protocol revision of the session. Default: 2025-11-25. */
  readonly revision?: string;
  /** Headers of every request. */
  readonly headers?: Headers;
  /** Capabilities that the client declares. */
  readonly capabilities?: object;
}

/** Options of a POST request. */
export interface Posting {
  readonly headers?: Headers;
  readonly signal?: AbortSignal;
}

/** Posts a body unchanged. */
export function post(url: string, body: string, { headers = {}, signal }: Posting = {}): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': JSON_TYPE, accept: ACCEPT, ...headers },
    body,
    ...(signal !== undefined && { signal }),
  });
}

export function request(id: string | number, method: string, params: object = {}): object {
  return { jsonrpc: '2.0', id, method, params };
}

export function toolCall(id: string | number, name: string, args: object = {}): object {
  return request(id, 'tools/call', { name, arguments: args });
}

/** Creates a call that logs and reports progress this number of times before its result. */
export function reporting(id: string | number, times: number): object {
  return request(id, 'tools/call', { name: 'report', arguments: { times }, _meta: { progressToken: 'token' } });
}

export function notification(method: string, params: object = {}): object {
  return { jsonrpc: '2.0', method, params };
}

export function initialize(revision: string, capabilities: object = {}): object {
  return request(0, 'initialize', {
    protocolVersion: revision,
    capabilities,
    clientInfo: { name: 'http-client', version: '1.0.0' },
  });
}

/** Posts a request of 2026-07-28, with the headers that repeat parts of the request. */
export function postModern(
  url: string,
  { id = 1, method, params = {} }: { readonly id?: string | number; readonly method: string; readonly params?: object },
  { headers = {}, ...posting }: Posting = {},
): Promise<Response> {
  const name = 'name' in params ? { 'mcp-name': String(params.name) } : {};
  const body = JSON.stringify(request(id, method, { ...params, _meta: { ...ENVELOPE, ...metaOf(params) } }));
  return post(url, body, {
    ...posting,
    headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, ...name, ...headers },
  });
}

/** Returns the first message of a response: JSON, or a stream, because a slow answer on a busy machine arrives as a stream. */
export async function messageOf(response: Response): Promise<Message> {
  const type = response.headers.get('content-type');
  if (type === 'text/event-stream') return new EventReader(response).message();
  if (type !== JSON_TYPE) throw new Error(`${response.status} ${type} is no message`);
  return JSON.parse(await response.text());
}

/** Returns the text of a tool's result. */
export function textOf({ result }: Message): unknown {
  const content = result?.['content'];
  return Array.isArray(content) ? content.map(({ text }) => text).join('\n') : undefined;
}

export function idsOf(events: readonly SentEvent[]): readonly (string | undefined)[] {
  return events.map(({ id }) => id);
}

/** A client of one session. After the handshake, it sends only the requests of the test. */
export class HttpClient {
  readonly url: string;
  readonly headers: Headers;
  #id = 0;

  private constructor(url: string, headers: Headers) {
    this.url = url;
    this.headers = headers;
  }

  /** Opens a session. */
  static async open(url: string, options: ClientOptions = {}): Promise<HttpClient> {
    const { revision = '2025-11-25', headers = {}, capabilities } = options;
    const response = await post(url, JSON.stringify(initialize(revision, capabilities)), { headers });
    if (response.status !== 200) throw new Error(`initialize: ${response.status} ${await response.text()}`);
    await response.text();
    const client = new HttpClient(url, {
      ...headers,
      'mcp-session-id': response.headers.get('mcp-session-id') ?? '',
      'mcp-protocol-version': revision,
    });
    await client.post(notification('notifications/initialized'));
    return client;
  }

  get sessionId(): string {
    return this.headers['mcp-session-id'] ?? '';
  }

  /** Returns a client of the same session that sends its requests to another URL. */
  at(url: string): HttpClient {
    return new HttpClient(url, this.headers);
  }

  post(message: object, { headers = {}, ...posting }: Posting = {}): Promise<Response> {
    return post(this.url, JSON.stringify(message), { ...posting, headers: { ...this.headers, ...headers } });
  }

  /** Calls a tool that answers immediately. Resolves to its text. */
  async call(name: string, args: object = {}): Promise<unknown> {
    this.#id += 1;
    return textOf(await messageOf(await this.post(toolCall(`call ${this.#id}`, name, args))));
  }

  /** Calls a tool that answers with a stream. */
  async stream(id: string | number, name: string, args: object = {}, posting: Posting = {}): Promise<EventReader> {
    return new EventReader(await this.post(toolCall(id, name, args), posting));
  }

  get(headers: Headers = {}, signal?: AbortSignal): Promise<Response> {
    const init = { headers: { accept: 'text/event-stream', ...this.headers, ...headers } };
    return fetch(this.url, { ...init, ...(signal !== undefined && { signal }) });
  }

  /** Opens the standalone GET stream. */
  async listen(): Promise<EventReader> {
    return new EventReader(await this.get());
  }

  /** Resumes a stream after an event. */
  async resume(lastEventId: string | undefined): Promise<EventReader> {
    return new EventReader(await this.get({ 'last-event-id': lastEventId ?? '' }));
  }

  /** Ends the session. Resolves to the HTTP status. */
  async end(): Promise<number> {
    const response = await fetch(this.url, { method: 'DELETE', headers: this.headers });
    await response.text();
    return response.status;
  }
}

function metaOf(params: object): object {
  return '_meta' in params && typeof params._meta === 'object' && params._meta !== null ? params._meta : {};
}
