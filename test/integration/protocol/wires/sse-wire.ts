import { eventsOf } from './events.ts';
import type { Receiver, Wire } from './wire.ts';

/** A connection to the two endpoints of 2024-11-05: a stream, and the URL for posted messages that the stream announces. */
export class SseWire implements Wire {
  /** The URL for posting messages. */
  readonly url: string;
  readonly #receiver: Receiver;
  readonly #ended: AbortController;

  private constructor(url: string, receiver: Receiver, ended: AbortController) {
    this.url = url;
    this.#receiver = receiver;
    this.#ended = ended;
  }

  static async open(url: string, receiver: Receiver): Promise<SseWire> {
    const ended = new AbortController();
    const response = await fetch(url, { headers: { accept: 'text/event-stream' }, signal: ended.signal });
    const events = eventsOf(response);
    const { value: first } = await events.next();
    if (first?.event !== 'endpoint') throw new Error(`the stream begins with ${JSON.stringify(first)}`);
    read(events, receiver).catch(() => receiver.closed());
    return new SseWire(new URL(first.data ?? '', url).href, receiver, ended);
  }

  async write(body: string): Promise<void> {
    const response = await fetch(this.url, { method: 'POST', headers: this.headersFor(), body });
    const refusal = await response.text();
    if (!response.ok) this.#receiver.received(refusal);
  }

  /** Returns the headers with which a message is posted. */
  headersFor(): Record<string, string> {
    return { 'content-type': 'application/json' };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended.abort();
    this.#receiver.closed();
    await Promise.resolve();
  }
}

async function read(events: ReturnType<typeof eventsOf>, receiver: Receiver): Promise<void> {
  for await (const { data } of events) if (data) receiver.received(data);
  receiver.closed();
}
