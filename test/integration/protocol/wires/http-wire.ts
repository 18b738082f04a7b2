import { isStateless, type Revision } from '../messages/cells.ts';
import type { Id, Message } from '../messages/message.ts';
import { eventsOf, isStream } from './events.ts';
import type { Receiver, Wire } from './wire.ts';

/** Headers of every POST. */
const POSTED: Readonly<Record<string, string>> = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};

/** A connection to a Streamable HTTP endpoint: a session with its standalone stream, or self-contained requests. */
export class HttpWire implements Wire {
  readonly url: string;
  /** The messages of the listening stream of a session. */
  readonly heard: string[] = [];
  readonly #revision: Revision;
  readonly #receiver: Receiver;
  readonly #ended = new AbortController();
  readonly #posts = new Map<Id, AbortController>();
  #session: string | undefined;
  #agreed: string | undefined;

  constructor(url: string, revision: Revision, receiver: Receiver) {
    this.url = url;
    this.#revision = revision;
    this.#receiver = receiver;
  }

  /** Returns the headers with which a message is posted. */
  headersFor(message?: Message): Record<string, string> {
    if (isStateless(this.#revision)) return { ...POSTED, ...repeated(this.#revision, message) };
    return {
      ...POSTED,
      ...(this.#session !== undefined && { 'mcp-session-id': this.#session }),
      ...(this.#agreed !== undefined && { 'mcp-protocol-version': this.#agreed }),
    };
  }

  async write(body: string, message?: Message): Promise<void> {
    const id = message?.method === undefined ? undefined : (message.id ?? undefined);
    const posted = this.#post(body, message, id);
    // The response to a request other than `initialize` is read in the background, because it may take long.
    if (id === undefined || message?.method === 'initialize') await posted;
    else posted.catch(() => this.#receiver.closed());
  }

  abandon(id: Id): void {
    this.#posts.get(id)?.abort();
  }

  async established(agreed: string, listens: boolean): Promise<void> {
    this.#agreed = agreed;
    if (!listens) return;
    const response = await fetch(this.url, {
      headers: { ...this.headersFor(), accept: 'text/event-stream' },
      signal: this.#ended.signal,
    });
    if (response.status !== 200) throw new Error(`the listening stream was refused with ${response.status}`);
    this.#listen(response).catch(() => undefined);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#session !== undefined)
      await fetch(this.url, { method: 'DELETE', headers: this.headersFor() }).catch(() => undefined);
    this.#ended.abort();
    this.#receiver.closed();
  }

  async #post(body: string, message: Message | undefined, id: Id | undefined): Promise<void> {
    const given = new AbortController();
    if (id !== undefined) this.#posts.set(id, given);
    const signal = AbortSignal.any([given.signal, this.#ended.signal]);
    try {
      const response = await fetch(this.url, { method: 'POST', headers: this.headersFor(message), body, signal });
      await this.#read(response, id);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  async #read(response: Response, id: Id | undefined): Promise<void> {
    const session = response.headers.get('mcp-session-id') ?? undefined;
    if (isStream(response)) {
      for await (const { data } of eventsOf(response)) if (data) this.#receive(data, id, session);
      return;
    }
    const body = await response.text();
    if (body !== '') this.#receive(body, id, session);
  }

  /** Passes a message of a response to the receiver. If the message is a result, stores the session id of the response. */
  #receive(text: string, id: Id | undefined, session: string | undefined): void {
    const message: Message = JSON.parse(text);
    if (message.result !== undefined) this.#session = session;
    this.#receiver.received(text, id);
  }

  async #listen(response: Response): Promise<void> {
    for await (const { data } of eventsOf(response)) {
      if (!data) continue;
      this.heard.push(data);
      this.#receiver.received(data);
    }
  }
}

/** Returns the headers in which 2026-07-28 repeats parts of the message, for proxies that do not read the body. */
function repeated(revision: Revision, message: Message | undefined): Record<string, string> {
  const { method, params } = message ?? {};
  const version = params?._meta?.['io.modelcontextprotocol/protocolVersion'];
  const name = params?.name ?? params?.uri;
  return {
    'mcp-protocol-version': typeof version === 'string' ? version : revision,
    ...(method !== undefined && { 'mcp-method': headerValue(method) }),
    ...(typeof name === 'string' && { 'mcp-name': headerValue(name) }),
  };
}

/** Returns a text as a header value. The value is in Base64 unless the text is printable ASCII without spaces at its ends. */
export function headerValue(value: string): string {
  return /^[!-~](?:[ -~]*[!-~])?$/.test(value) ? value : `=?base64?${Buffer.from(value).toString('base64')}?=`;
}
