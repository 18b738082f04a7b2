import type { ServerEvent, ServerEventBus } from '@modelcontextprotocol/server';

import { Slot } from '../metadata/slot.ts';

/** The lists that may change while clients are connected. */
export type ListKind = 'tools' | 'prompts' | 'resources';

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

  /** Tells every listener here, and nobody elsewhere: of what another process told, or sees for itself. Throws like `publish`. */
  deliver(event: ServerEvent): void {
    tell([this.#listeners], event);
  }

  /** Calls the listener with each event until the function it returns is called. */
  subscribe(listener: Listener): () => void {
    return enlist(this.#listeners, listener);
  }

  /** Joins other processes: `send` is called with all that is published here, and not with what is delivered, until the function it returns is called. */
  relay(send: (event: ServerEvent) => void): () => void {
    return enlist(this.#relays, send);
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
