import { constants, type BigIntStats } from 'node:fs';

import { gone, type Anchor } from './anchor.ts';
import type { Answer, Calls } from './calls.ts';

/** Finds a file without opening it: neither a FIFO nor a device notices. Node.js does not name it; Linux has it on all its processors that Node.js runs on. */
const O_PATH = 0x20_0000;

/** Held by a descriptor: every use goes through it, so what happens to paths in the meantime changes nothing. Linux with /proc. */
export class PinnedAnchor implements Anchor {
  readonly facts: BigIntStats;
  readonly #calls: Calls;
  readonly #descriptor: number;
  readonly #path: string;

  private constructor(calls: Calls, descriptor: number, facts: BigIntStats) {
    this.#calls = calls;
    this.#descriptor = descriptor;
    this.#path = `/proc/self/fd/${descriptor}`;
    this.facts = facts;
  }

  static async hold(calls: Calls, target: string, follows: boolean): Promise<PinnedAnchor> {
    const descriptor = await calls.open(target, O_PATH | (follows ? 0 : constants.O_NOFOLLOW));
    try {
      return new PinnedAnchor(calls, descriptor, await calls.fstat(descriptor));
    } catch (error) {
      await calls.close(descriptor);
      throw error;
    }
  }

  async real(): Promise<string> {
    const real = await this.#calls.readlink(this.#path);
    // A file may be named so; one that is gone has no name left.
    if (real.endsWith(' (deleted)') && (await this.#calls.fstat(this.#descriptor)).nlink === 0n) throw gone();
    return real;
  }

  at(name?: string): string {
    return name === undefined ? this.#path : `${this.#path}/${name}`;
  }

  open(flags: number): Answer<number> {
    return this.#calls.open(this.#path, flags);
  }

  close(): Answer<void> {
    return this.#calls.close(this.#descriptor);
  }
}
