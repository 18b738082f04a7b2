import { constants, type BigIntStats } from 'node:fs';
import path from 'node:path';

import { gone, isSame, type Anchor } from './anchor.ts';
import type { Calls } from './calls.ts';

/** No link in any part of a path: macOS has it, under no name in Node.js. */
const NO_LINK = process.platform === 'darwin' ? 0x2000_0000 : (constants.O_NOFOLLOW ?? 0);

/**
 * Held by its real path, which is looked at again before each use and after each opening. Who swaps directories fast enough may
 * get in between.
 */
export class RecheckedAnchor implements Anchor {
  readonly facts: BigIntStats;
  readonly #calls: Calls;
  readonly #real: string;

  private constructor(calls: Calls, real: string, facts: BigIntStats) {
    this.#calls = calls;
    this.#real = real;
    this.facts = facts;
  }

  static async hold(calls: Calls, target: string, follows: boolean): Promise<RecheckedAnchor> {
    const real = follows
      ? await calls.realpath(target)
      : path.join(await calls.realpath(path.dirname(target)), path.basename(target));
    const anchor = new RecheckedAnchor(calls, real, await calls.lstat(real));
    await anchor.real();
    return anchor;
  }

  async real(): Promise<string> {
    const parent = path.dirname(this.#real);
    if ((await this.#calls.realpath(parent)) !== parent) throw gone();
    if (!isSame(await this.#calls.lstat(this.#real), this.facts)) throw gone();
    return this.#real;
  }

  async at(name?: string): Promise<string> {
    const real = await this.real();
    return name === undefined ? real : path.join(real, name);
  }

  async open(flags: number): Promise<number> {
    const descriptor = await this.#calls.open(await this.real(), flags | NO_LINK);
    try {
      if (!isSame(await this.#calls.fstat(descriptor), this.facts)) throw gone();
      await this.real();
      return descriptor;
    } catch (error) {
      await this.#calls.close(descriptor);
      throw error;
    }
  }

  close(): void {
    // Nothing is held but a path.
  }
}
