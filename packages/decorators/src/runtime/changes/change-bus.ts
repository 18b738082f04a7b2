import type { ServerEvent, ServerEventBus } from '@modelcontextprotocol/server';

import { listServerParts } from '../../compile/feature-tree.ts';
import { Slot } from '../../metadata/slot.ts';

/** Lists that may change while clients are connected. */
export type ListKind = 'tools' | 'prompts' | 'resources';

type Listener = (event: ServerEvent) => void;

/** Two installed copies of this package share the slot, and so notify each other's listeners. */
const SLOT = new Slot<ChangeBus>('changes');

/**
 * Event bus of one server object for all its connections: changed lists and updated resources. An event is only a hint: clients
 * read the list or resource again.
 */
export class ChangeBus implements ServerEventBus {
  readonly #listeners = new Set<Listener>();
  readonly #relays = new Set<Listener>();
  /** Buses of the objects that have this bus's object as a feature. */
  readonly #holders = new Set<ChangeBus>();

  /** Returns the bus of a server object. All connections of the object share it. */
  static of(server: object): ChangeBus {
    return SLOT.getOrCreate(server, () => new ChangeBus());
  }

  /** Forwards every event of the features of a server object to the bus of the object. Connecting them again has no effect. */
  static connectFeatures(server: object, extraFeatures: readonly object[] = []): void {
    const bus = ChangeBus.of(server);
    for (const { object } of listServerParts(server, extraFeatures)) if (object !== server) ChangeBus.of(object).forwardTo(bus);
  }

  /** Forwards every later event to another bus. Has no effect if the events are already forwarded. */
  forwardTo(bus: ChangeBus): void {
    this.#holders.add(bus);
  }

  /**
   * Notifies all listeners and, through the relays, other processes. If listeners throw, throws the first error after all were
   * called.
   */
  publish(event: ServerEvent): void {
    notifyAll([this.#listeners, this.#relays, listeners(this.#holders, 'publish')], event);
  }

  /**
   * Notifies only the listeners in this process: for events from other processes, and for events that every process observes
   * itself. Throws like `publish`.
   */
  deliver(event: ServerEvent): void {
    notifyAll([this.#listeners, listeners(this.#holders, 'deliver')], event);
  }

  /** Calls the listener with each event until the returned function is called. */
  subscribe(listener: Listener): () => void {
    return addListener(this.#listeners, listener);
  }

  /**
   * Connects other processes: calls `send` with every published event, but not with delivered ones, until the returned function
   * is called.
   */
  relay(send: (event: ServerEvent) => void): () => void {
    return addListener(this.#relays, send);
  }
}

function listeners(buses: Iterable<ChangeBus>, method: 'publish' | 'deliver'): readonly Listener[] {
  return [...buses].map((bus) => (event) => bus[method](event));
}

/** Wraps the function, because one function may be added several times. */
function addListener(listeners: Set<Listener>, listener: Listener): () => void {
  const own: Listener = (event) => listener(event);
  listeners.add(own);
  return () => void listeners.delete(own);
}

function notifyAll(groups: readonly Iterable<Listener>[], event: ServerEvent): void {
  const errors: unknown[] = [];
  for (const listeners of groups) {
    for (const listener of listeners) {
      try {
        listener(event);
      } catch (error) {
        errors.push(error);
      }
    }
  }
  if (errors.length > 0) throw errors[0];
}
