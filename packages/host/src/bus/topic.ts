import { Changes, Subscriptions } from '@org/mcp-decorators';
import type { ServerEvent } from '@modelcontextprotocol/server';

import { LIST_EVENTS, type BusEvent } from './bus-message.ts';

/** Events of other processes are passed on as they come, and then so many in such a time; the same one is passed on once in it. */
const EVENTS = 1000;
const PER_MS = 100;

/** What a topic is made of. */
export interface TopicOptions {
  /** Told of what is published in this process. */
  readonly send: (event: ServerEvent) => void;
  /** Told of what listeners throw. */
  readonly onError: (error: unknown) => void;
}

/**
 * One server object on the bus. However much is told to it, its clients are told of each list and of each resource that is
 * subscribed to at most 10 times a second.
 */
export class Topic implements Disposable {
  readonly #changes: Changes;
  readonly #leave: () => void;
  readonly #subscriptions: Subscriptions | undefined;
  readonly #onError: (error: unknown) => void;
  readonly #pending = new Map<string, ServerEvent>();
  #pause: NodeJS.Timeout | undefined;

  constructor(server: object, { send, onError }: TopicOptions) {
    this.#subscriptions = Subscriptions.of(server);
    this.#onError = onError;
    this.#changes = Changes.of(server);
    this.#leave = this.#changes.relay(send);
  }

  /** What another process told. */
  receive(event: BusEvent): void {
    if (event.kind === 'everything_changed') this.#missed();
    else this.#hold(event);
    if (this.#pause === undefined) this.#deliver();
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#pause);
    this.#pending.clear();
    this.#leave();
  }

  /** Nobody knows what has changed: whoever listens to anything looks again. */
  #missed(): void {
    for (const event of LIST_EVENTS) this.#hold(event);
    for (const uri of this.#subscriptions?.uris() ?? []) this.#hold({ kind: 'resource_updated', uri });
  }

  #hold(event: ServerEvent): void {
    if (event.kind !== 'resource_updated') this.#pending.set(event.kind, event);
    else if (this.#subscriptions?.isWatched(event.uri) === true) this.#pending.set(`${event.kind} ${event.uri}`, event);
  }

  #deliver(): void {
    this.#pause = undefined;
    if (this.#pending.size === 0) return;
    let count = 0;
    for (const [key, event] of this.#pending) {
      if ((count += 1) > EVENTS) break;
      this.#pending.delete(key);
      this.#tell(event);
    }
    this.#pause = setTimeout(() => this.#deliver(), PER_MS).unref();
  }

  #tell(event: ServerEvent): void {
    try {
      this.#changes.deliver(event);
    } catch (error) {
      this.#onError(error);
    }
  }
}
