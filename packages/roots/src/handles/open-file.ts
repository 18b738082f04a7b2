import { constants, type BigIntStats } from 'node:fs';

import { denied, isDirectory, notRegular, refused, translated } from '../failures.ts';
import { TRANSFERS, type Calls } from '../hold/calls.ts';
import type { Found } from '../resolver.ts';

// O_NONBLOCK: should it be a FIFO after all, opening it does not wait for a writer. Windows does not know it.
const FOR_READING = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** What lies after so many bytes is read in the background: reading all of a file at once would keep other calls waiting. */
const SMALL = 65_536;

/**
 * Opens what was found and lets go of it; for this package only.
 *
 * @throws ToolError IS_DIRECTORY, NOT_REGULAR_FILE, DENIED_BY_POLICY for a second name where those are denied, IO
 */
export let openFileOf: (found: Found, hardLinks: 'allow' | 'deny') => Promise<OpenFile>;

/** A regular file, verified and open for reading. */
export class OpenFile implements AsyncDisposable {
  /** The path that clients see. */
  readonly shown: string;
  /** What it was when it was found. */
  readonly facts: BigIntStats;
  readonly #descriptor: number;
  readonly #calls: Calls;
  #isClosed = false;

  private constructor(descriptor: number, { anchor, ground, shown }: Found) {
    this.#descriptor = descriptor;
    this.#calls = ground.calls;
    this.shown = shown;
    this.facts = anchor.facts;
  }

  /** Bytes when it was found. */
  get size(): number {
    return Number(this.facts.size);
  }

  /** Fewer bytes than asked for only at the end of the file. */
  async readAt(position: number, length: number): Promise<Buffer> {
    const buffer = Buffer.allocUnsafe(length);
    return buffer.subarray(0, await this.readInto(buffer, position));
  }

  /** Fills a buffer with what lies at a position; resolves to how many bytes there were, fewer only at the end of the file. */
  async readInto(buffer: Buffer, position: number): Promise<number> {
    const { length } = buffer;
    const { read } = position + length > SMALL && this.#calls.isDirect ? TRANSFERS : this.#calls;
    return translated(this.shown, async () => {
      let filled = 0;
      while (filled < length) {
        const count = await read(this.#descriptor, buffer.subarray(filled), position + filled);
        if (count === 0) break;
        filled += count;
      }
      return filled;
    });
  }

  /** Descriptor that child processes can inherit; valid while the file is open. */
  get descriptor(): number {
    return this.#descriptor;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#calls.close(this.#descriptor);
  }

  static {
    openFileOf = async (found, hardLinks) => {
      const { anchor, given } = found;
      try {
        if (anchor.facts.isDirectory()) throw isDirectory(given);
        if (!anchor.facts.isFile()) throw notRegular(given);
        if (hardLinks === 'deny' && anchor.facts.nlink > 1n) throw denied(given, 'has a second name, which may lie elsewhere');
        return new OpenFile(await anchor.open(FOR_READING), found);
      } catch (error) {
        throw refused(given, error);
      } finally {
        await anchor.close();
      }
    };
  }
}
