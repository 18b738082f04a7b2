import type { RequestId } from '@modelcontextprotocol/server';

/** What the requests of one batch (2025-03-26) are answered with: collected, and sent as one array. */
export class Batch {
  readonly #due = new Set<RequestId>();
  readonly #maxBytes: number;
  readonly #send: (line: string) => void;
  #texts: string[] = [];
  #bytes = 0;
  #isRead = false;

  /** Above `maxBytes` the array is sent in parts: no line may be larger than its reader can take. */
  constructor(maxBytes: number, send: (line: string) => void) {
    this.#maxBytes = maxBytes;
    this.#send = send;
  }

  expect(id: RequestId): void {
    this.#due.add(id);
  }

  /** Adds an answer, as JSON; without a text, the request is not answered. Without an id, it is of no request in particular. */
  settle(id: RequestId | undefined, text?: string): void {
    if (text !== undefined) this.#add(text);
    if (id !== undefined) this.#due.delete(id);
    this.#flushIfDone();
  }

  /** All of its messages were handed on. */
  end(): void {
    this.#isRead = true;
    this.#flushIfDone();
  }

  #add(text: string): void {
    const bytes = Buffer.byteLength(text) + 1;
    if (this.#bytes + bytes > this.#maxBytes) this.#flush();
    this.#texts.push(text);
    this.#bytes += bytes;
  }

  #flushIfDone(): void {
    if (this.#isRead && this.#due.size === 0) this.#flush();
  }

  #flush(): void {
    if (this.#texts.length > 0) this.#send(`[${this.#texts.join(',')}]`);
    this.#texts = [];
    this.#bytes = 0;
  }
}
