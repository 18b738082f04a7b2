import type { Writable } from 'node:stream';

/** Text of one tick that is written at once; more is written in several pieces, which are then not joined. */
const MAX_PIECE = 64 * 1024;

const WRITTEN = Promise.resolve();

/** Writes lines, those of one tick together, and knows how much of them nobody has read. */
export class LineWriter {
  readonly #stream: Writable;
  readonly #maxUnread: number;
  readonly #onRoom: () => void;
  #text = '';
  #isScheduled = false;
  /** There while it is full, if anybody waits for room. */
  #room: { readonly made: Promise<void>; readonly make: () => void } | undefined;

  /** It is full above `maxUnread` bytes; `onRoom` is called when it may not be full any more. */
  constructor(stream: Writable, maxUnread: number, onRoom: () => void) {
    this.#stream = stream;
    this.#maxUnread = maxUnread;
    this.#onRoom = onRoom;
  }

  get isFull(): boolean {
    return this.unread > this.#maxUnread;
  }

  /** Bytes that wait to be read, more or less. */
  get unread(): number {
    return this.#text.length + this.#stream.writableLength;
  }

  /** Resolves when there is room for more. */
  write(line: string): Promise<void> {
    if (line.length > MAX_PIECE) this.#writeAlone(line);
    else this.#text += `${line}\n`;
    if (this.#text.length > MAX_PIECE) this.flush();
    else if (!this.#isScheduled) {
      this.#isScheduled = true;
      // Runs once the microtasks are done, in which the answers to all messages of one read come about.
      process.nextTick(this.#tick);
    }
    return this.isFull ? this.#untilRoom() : WRITTEN;
  }

  flush(): void {
    const text = this.#text;
    this.#text = '';
    if (text !== '') this.#stream.write(text, this.#settle);
  }

  /** Writes what is left; nothing is waited for any more. */
  close(): void {
    this.flush();
    this.#room?.make();
  }

  #writeAlone(line: string): void {
    this.flush();
    this.#stream.cork();
    this.#stream.write(line);
    this.#stream.write('\n', this.#settle);
    this.#stream.uncork();
  }

  readonly #tick = (): void => {
    this.#isScheduled = false;
    this.flush();
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
