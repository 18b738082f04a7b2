import type { Writable } from 'node:stream';

/** Number of characters above which joined lines are written at once. A longer line is written separately. */
const MAX_JOINED = 64 * 1024;

const WRITTEN = Promise.resolve();

/**
 * Writes lines together, because a write takes longer than many answers, and limits the bytes that the client has not read. The
 * first lines of a turn of the event loop are written by `process.nextTick`, further lines of this turn at its end.
 */
export class LineWriter {
  readonly #stream: Writable;
  readonly #maxUnread: number;
  readonly #onRoom: () => void;
  #text = '';
  #isScheduled = false;
  /** Whether lines were written in this turn of the event loop. */
  #hasWritten = false;
  /** Present while the writer is full and at least one caller waits for room. */
  #room: { readonly made: Promise<void>; readonly make: () => void } | undefined;

  /**
   * @param maxUnread bytes above which the writer is full
   * @param onRoom called when the writer is no longer full
   */
  constructor(stream: Writable, maxUnread: number, onRoom: () => void) {
    this.#stream = stream;
    this.#maxUnread = maxUnread;
    this.#onRoom = onRoom;
  }

  get isFull(): boolean {
    return this.unread > this.#maxUnread;
  }

  /** Approximate number of bytes that the client has not read. */
  get unread(): number {
    return this.#text.length + this.#stream.writableLength;
  }

  /** Adds a line, which is soon written together with other lines. Resolves when the writer is not full. */
  write(line: string): Promise<void> {
    if (line.length > MAX_JOINED) this.#writeSeparately(line);
    else this.#text += `${line}\n`;
    if (this.#text.length > MAX_JOINED) this.flush();
    else if (!this.#isScheduled) {
      this.#isScheduled = true;
      // Runs after the microtasks that answer all messages of one chunk.
      if (!this.#hasWritten) process.nextTick(this.#tick);
    }
    return this.isFull ? this.#untilRoom() : WRITTEN;
  }

  flush(): void {
    const text = this.#text;
    this.#text = '';
    if (text !== '') this.#stream.write(text, this.#settle);
  }

  /** Writes the remaining text and releases every caller that waits for room. */
  close(): void {
    this.flush();
    this.#room?.make();
  }

  #writeSeparately(line: string): void {
    this.flush();
    this.#stream.cork();
    this.#stream.write(line);
    this.#stream.write('\n', this.#settle);
    this.#stream.uncork();
  }

  readonly #tick = (): void => {
    this.#isScheduled = false;
    this.flush();
    if (this.#hasWritten) return;
    this.#hasWritten = true;
    setImmediate(this.#endTurn);
  };

  readonly #endTurn = (): void => {
    if (this.#isScheduled) this.#tick();
    this.#hasWritten = false;
  };

  readonly #settle = (): void => {
    if (this.isFull) return;
    this.#room?.make();
    this.#room = undefined;
    this.#onRoom();
  };

  #untilRoom(): Promise<void> {
    if (this.#room === undefined) {
      let make: () => void = () => undefined;
      const made = new Promise<void>((resolve) => {
        make = resolve;
      });
      this.#room = { made, make };
    }
    return this.#room.made;
  }
}
