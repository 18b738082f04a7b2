import type { PoolClient } from 'pg';

import { Alarm } from './alarm.ts';

/** Then they go back to the pool, which closes them when they are idle for longer. */
const KEPT_MS = 1000;

/** Clients that were given back and that nobody waits for: the next call takes the latest without going through the pool. */
export class SpareClients {
  readonly #clients: PoolClient[] = [];
  readonly #ended = new WeakSet<PoolClient>();
  #alarm: Alarm | undefined;

  /** Hears of its end from now on; without a listener a terminated backend would end this process. */
  watch(client: PoolClient): void {
    client.on('error', () => this.#drop(client));
  }

  take(): PoolClient | undefined {
    return this.#clients.pop();
  }

  keep(client: PoolClient): void {
    if (this.#ended.has(client)) return client.release(true);
    this.#clients.push(client);
    this.#alarm ??= new Alarm(KEPT_MS, () => this.release());
  }

  /** Gives all of them back to the pool. */
  release(): void {
    this.#alarm?.[Symbol.dispose]();
    this.#alarm = undefined;
    for (const client of this.#clients.splice(0)) client.release();
  }

  #drop(client: PoolClient): void {
    this.#ended.add(client);
    const index = this.#clients.indexOf(client);
    if (index !== -1) this.#clients.splice(index, 1).forEach((ended) => ended.release(true));
  }
}
