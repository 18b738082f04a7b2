import type { RequestId } from '@modelcontextprotocol/server';

/** Collects the responses to one batch (revision 2025-03-26) and sends them as one array. */
export class Batch {
  readonly #unanswered = new Set<RequestId>();
  readonly #maxBytes: number;
  readonly #send: (line: string) => void;
  #texts: string[] = [];
  #bytes = 0;
  #isRead = false;

  /** @param maxBytes maximum size of a line that the client can read; responses above it are sent as several arrays */
  constructor(maxBytes: number, send: (line: string) => void) {
    this.#maxBytes = maxBytes;
    this.#send = send;
  }

  /** Adds a request, for whose response the batch waits. */
  expect(id: RequestId): void {
    this.#unanswered.add(id);
  }

  /**
   * Records that a request needs no further response.
   *
   * @param id absent for an error that belongs to no request
   * @param text the response as JSON; absent if the request was cancelled
   */
  settle(id: RequestId | undefined, text?: string): void {
    if (text !== undefined) this.#add(text);
    if (id !== undefined) this.#unanswered.delete(id);
    this.#flushIfDone();
  }

  /** Must be called when all messages of the batch have been read. */
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
    if (this.#isRead && this.#unanswered.size === 0) this.#flush();
  }

  #flush(): void {
    if (this.#texts.length > 0) this.#send(`[${this.#texts.join(',')}]`);
    this.#texts = [];
    this.#bytes = 0;
  }
}
