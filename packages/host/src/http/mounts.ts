import { Shares } from '@org/mcp-decorators';

import { BodyReader } from '../http-messages/body-reader.ts';
import type { Gauges } from '../info/server-information.ts';
import { EventBudget } from '../sessions/event-log.ts';
import { Connections } from './connections.ts';
import { applyDefaults, type HttpOptions, type HttpSettings } from './http-options.ts';
import { Mount } from './mount.ts';
import type { Route } from './router.ts';

/** Server objects at their paths, and the limits that they share. */
export class Mounts {
  readonly settings: HttpSettings;
  readonly connections: Connections = new Connections();
  /** Passes an error that belongs to no request to the operator. */
  readonly onError: (error: unknown) => void;
  readonly #events: EventBudget;
  readonly #mounts: readonly Mount[];
  #closed: Promise<void> | undefined;

  /** @throws DefinitionError if a class is not usable, RangeError for an invalid option */
  constructor(servers: Readonly<Record<string, object>>, options: HttpOptions) {
    const settings = applyDefaults(options);
    this.settings = settings;
    this.onError = (error) => settings.onTransportError(error instanceof Error ? error : new Error(String(error)));
    this.#events = new EventBudget(settings.eventBuffer);
    const entries = Object.entries(servers);
    const common = {
      options,
      settings,
      events: this.#events,
      bodies: new BodyReader(settings),
      requests: new Shares(settings.maxConnections),
      connections: this.connections,
      isOnly: entries.length === 1,
      onError: this.onError,
    };
    this.#mounts = entries.map(([path, server]) => new Mount({ path, server, ...common }));
  }

  /** Whether {@link Mounts.close} was called. */
  get isClosing(): boolean {
    return this.#closed !== undefined;
  }

  /** Numbers of sessions, streams and kept messages. */
  get gauges(): Required<Pick<Gauges, 'sessions' | 'listenStreams' | 'storedEvents'>> {
    const endpoints = this.#mounts.map(({ endpoint }) => endpoint);
    return {
      sessions: sum(endpoints.map(({ sessions }) => sessions)),
      listenStreams: sum(endpoints.map(({ listeners }) => listeners)),
      storedEvents: this.#events.count,
    };
  }

  /** Sets the function that reads the gauges for `server://info`. */
  setGaugeReader(read: () => Gauges): void {
    for (const { information } of this.#mounts) information.setGaugeReader(read);
  }

  /** Sets the base URL at which other processes reach this one, unless the options give another one. */
  setPeerUrl(url: string): void {
    for (const mount of this.#mounts) mount.setPeerUrl(url);
  }

  /** Returns the routes of all server objects, each with its path. */
  routes(): readonly (readonly [string, Route])[] {
    return this.#mounts.flatMap((mount) => mount.routes());
  }

  /**
   * Rejects new requests with 503, waits for running calls within the grace period, and ends every stream. The grace period ends early
   * when `hurried` resolves.
   */
  close(hurried?: Promise<unknown>): Promise<void> {
    return (this.#closed ??= this.#close(hurried));
  }

  async #close(hurried: Promise<unknown> | undefined): Promise<void> {
    const hurry = new AbortController();
    const grace = setTimeout(() => hurry.abort(), this.settings.grace);
    void hurried?.then(() => hurry.abort());
    const outcomes = await Promise.allSettled(this.#mounts.map(({ endpoint }) => endpoint.close(hurry.signal)));
    clearTimeout(grace);
    for (const outcome of outcomes) if (outcome.status === 'rejected') this.onError(outcome.reason);
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
