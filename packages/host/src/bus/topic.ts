import { ChangeBus, Subscriptions } from '@org/mcp-decorators';
import type { ServerEvent } from '@modelcontextprotocol/server';

import { LIST_EVENTS, type BusEvent } from './bus-message.ts';

/** Maximum number of events that are delivered per interval. Equal events within an interval are delivered once. */
const MAX_EVENTS = 1000;
const INTERVAL_MS = 100;

export interface TopicOptions {
  /** Receives the events that are published in this process. */
  readonly send: (event: ServerEvent) => void;
  /** Receives the errors of listeners. */
  readonly onError: (error: unknown) => void;
}

/**
 * One server object on the bus. However many events of other processes arrive, they notify its clients of each list and of each
 * subscribed resource at most 10 times per second.
 */
export class Topic implements Disposable {
  readonly #changes: ChangeBus;
  readonly #leave: () => void;
  readonly #subscriptions: Subscriptions | undefined;
  readonly #onError: (error: unknown) => void;
  readonly #pending = new Map<string, ServerEvent>();
  #pause: NodeJS.Timeout | undefined;

  constructor(server: object, { send, onError }: TopicOptions) {
    this.#subscriptions = Subscriptions.of(server);
    this.#onError = onError;
    this.#changes = ChangeBus.of(server);
    this.#leave = this.#changes.relay(send);
  }

  /** Handles an event of another process. */
  receive(event: BusEvent): void {
    if (event.kind === 'everything_changed') this.#addEverything();
    else this.#add(event);
    if (this.#pause === undefined) this.#deliver();
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#pause);
    this.#pending.clear();
    this.#leave();
  }

  /** Adds an event for every list and every watched resource, because any of them may have changed. */
  #addEverything(): void {
    for (const event of LIST_EVENTS) this.#add(event);
    for (const uri of this.#subscriptions?.uris() ?? []) this.#add({ kind: 'resource_updated', uri });
  }

  #add(event: ServerEvent): void {
    if (event.kind !== 'resource_updated') this.#pending.set(event.kind, event);
    else if (this.#subscriptions?.isWatched(event.uri) === true) this.#pending.set(`${event.kind} ${event.uri}`, event);
  }

  #deliver(): void {
    this.#pause = undefined;
    if (this.#pending.size === 0) return;
    let count = 0;
    for (const [key, event] of this.#pending) {
      if ((count += 1) > MAX_EVENTS) break;
      this.#pending.delete(key);
      this.#deliverEvent(event);
    }
    this.#pause = setTimeout(() => this.#deliver(), INTERVAL_MS).unref();
  }

  #deliverEvent(event: ServerEvent): void {
    try {
      this.#changes.deliver(event);
    } catch (error) {
      this.#onError(error);
    }
  }
}
