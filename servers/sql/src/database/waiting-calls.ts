import type { PoolClient } from 'pg';

import { Alarm } from './alarm.ts';

/** Hands over a client, or nothing: then there is room for a new one. */
type Take = (client: PoolClient | undefined) => void;

/** Calls that wait for a client that another one uses, in their order. */
export class WaitingCalls {
  readonly #takes = new Set<Take>();

  /** Resolves to a client that was given back, or to nothing when a new one may be made; rejects with the signal's reason, or when none came free in time. */
  wait(milliseconds: number, signal: AbortSignal, timedOut: () => Error): Promise<PoolClient | undefined> {
    return new Promise((resolve, reject) => {
      const end = (settle: () => void): void => {
        this.#takes.delete(take);
        alarm[Symbol.dispose]();
        signal.removeEventListener('abort', abort);
        settle();
      };
      const take: Take = (client) => end(() => resolve(client));
      const abort = (): void => end(() => reject(signal.reason));
      const alarm = new Alarm(milliseconds, () => end(() => reject(timedOut())));
      signal.addEventListener('abort', abort);
      this.#takes.add(take);
    });
  }

  /** Gives a client, or room for one, to who has waited longest; false if nobody waits. */
  give(client: PoolClient | undefined): boolean {
    const [take] = this.#takes;
    take?.(client);
    return take !== undefined;
  }

  /** Has all of them look for themselves. */
  release(): void {
    while (this.give(undefined));
  }
}
