import type { ServerEvent, ServerEventBus } from '@modelcontextprotocol/server';

import { Slot } from '../metadata/slot.ts';

/** The lists that may change while clients are connected. */
export type ListKind = 'tools' | 'prompts' | 'resources';

/** The tie of a server object to other processes that serve the same; disposing of it cuts the tie. */
export interface Relay extends Disposable {
  /** Tells the listeners of this process what another one published. */
  deliver(event: ServerEvent): void;
}

type Listener = (event: ServerEvent) => void;

/** In a slot, so that two installed copies of this package tell each other's listeners. */
const SLOT = new Slot<Changes>('changes');

/**
 * What clients of one server object are told of, whatever they are connected by: lists that changed and resources that were
 * updated. An event is a hint that something is worth asking for again.
 */
export class Changes implements ServerEventBus {
  readonly #listeners = new Set<Listener>();
  readonly #relays = new Set<Listener>();

  /** Those of a server object; the same for all its connections. */
  static of(server: object): Changes {
    return SLOT.open(server, () => new Changes());
  }

  /** Tells every listener here and, by the relays, in other processes. Throws what a listener throws, once all were told. */
  publish(event: ServerEvent): void {
    tell([this.#listeners, this.#relays], event);
  }

  /** Calls the listener with each event until the function it returns is called. */
  subscribe(listener: Listener): () => void {
    return enlist(this.#listeners, listener);
  }

  /** Joins other processes: `send` is called with all that is published here and not with what is delivered. */
  relay(send: (event: ServerEvent) => void): Relay {
    const leave = enlist(this.#relays, send);
    return { deliver: (event) => tell([this.#listeners], event), [Symbol.dispose]: leave };
  }
}

/** The same function may be there several times. */
function enlist(listeners: Set<Listener>, listener: Listener): () => void {
  const own: Listener = (event) => listener(event);
  listeners.add(own);
  return () => void listeners.delete(own);
}

function tell(groups: readonly Iterable<Listener>[], event: ServerEvent): void {
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
