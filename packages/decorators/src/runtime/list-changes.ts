/** The lists that may change while clients are connected. */
export type ListKind = 'tools' | 'prompts' | 'resources';

const changes = new WeakMap<object, ListChanges>();

/** Who is told when a list of one server object changes: each of its connections. */
export class ListChanges {
  readonly #listeners = new Set<(kind: ListKind) => void>();

  /** Those of a server object; the same for all its connections. */
  static of(server: object): ListChanges {
    const known = changes.get(server) ?? new ListChanges();
    changes.set(server, known);
    return known;
  }

  /** Tells every listener, once. */
  publish(kind: ListKind): void {
    for (const listener of this.#listeners) listener(kind);
  }

  /** Calls the listener with each change until it is disposed of. */
  subscribe(listener: (kind: ListKind) => void): Disposable {
    const own = (kind: ListKind): void => listener(kind);
    this.#listeners.add(own);
    return { [Symbol.dispose]: () => void this.#listeners.delete(own) };
  }
}
