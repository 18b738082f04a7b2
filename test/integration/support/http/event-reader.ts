/** A server-sent event, or a comment between events. */
export interface SentEvent {
  readonly event?: string;
  readonly id?: string;
  readonly retry?: string;
  readonly data?: string;
  readonly comment?: string;
}

/** The members of a JSON-RPC message that tests read. */
export interface Message {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string };
}

/** Reads the events of a stream one after the other. */
export class EventReader {
  /** The `id` of the last event that was read and has an `id`. */
  lastEventId: string | undefined;
  readonly response: Response;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #decoder = new TextDecoder();
  #text = '';

  constructor(response: Response) {
    const type = response.headers.get('content-type');
    if (type !== 'text/event-stream' || response.body === null) throw new Error(`${response.status} ${type} is no stream`);
    this.response = response;
    this.#reader = response.body.getReader();
  }

  /** Returns the next event, or `undefined` at the end of the stream. Skips keep-alive comments. */
  async next(): Promise<SentEvent | undefined> {
    for (;;) {
      const end = this.#text.indexOf('\n\n');
      if (end === -1) {
        if (!(await this.#read())) return undefined;
        continue;
      }
      const event = parse(this.#text.slice(0, end));
      this.#text = this.#text.slice(end + 2);
      if (event.id !== undefined) this.lastEventId = event.id;
      if (event.comment === undefined) return event;
    }
  }

  /**
   * Returns the message in the next event that contains one.
   * @throws Error if the stream ends first
   */
  async message(): Promise<Message> {
    for (;;) {
      const event = await this.next();
      if (event === undefined) throw new Error('the stream has ended');
      if (event.data !== undefined && event.data !== '') return JSON.parse(event.data);
    }
  }

  /** Returns all remaining events. */
  async rest(): Promise<readonly SentEvent[]> {
    const events: SentEvent[] = [];
    for (let event = await this.next(); event !== undefined; event = await this.next()) events.push(event);
    return events;
  }

  /** Returns all remaining messages. */
  async messages(): Promise<readonly Message[]> {
    const events = await this.rest();
    return events.flatMap(({ data }) => (data === undefined || data === '' ? [] : [JSON.parse(data)]));
  }

  /** Breaks the connection. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#reader.cancel().catch(() => undefined);
  }

  async #read(): Promise<boolean> {
    const { done, value } = await this.#reader.read();
    if (value !== undefined) this.#text += this.#decoder.decode(value, { stream: true });
    return !done;
  }
}

function parse(block: string): SentEvent {
  const fields = block.split('\n').map((line) => {
    const [name = '', ...value] = line.split(':');
    return [name === '' ? 'comment' : name, value.join(':').trim()];
  });
  return Object.fromEntries(fields);
}
