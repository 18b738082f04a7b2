import type { Directories, DirectoryEvent, DirectoryListener, DirectoryWatch } from './directory-watch.ts';
import type { Directory } from './directory.ts';

/** One directory, watched once for all who listen to it; closed with the last of them. */
export class SharedDirectory {
  readonly #identity: string;
  readonly #closed: () => void;
  /** By the entry that they listen to: of thousands, an event concerns a few. */
  readonly #listeners = new Map<string | undefined, Set<DirectoryListener>>();
  readonly #watch: Promise<DirectoryWatch>;
  #closing: Promise<void> | undefined;

  constructor(directory: Directory, directories: Directories, closed: () => void) {
    this.#identity = directory.identity;
    this.#closed = closed;
    this.#watch = directories.open(directory, { heard: (event) => this.#heard(event), lost: () => this.#lose() });
  }

  /** Whether it watches this very directory, and not one that was at its path before. */
  serves({ identity }: Directory): boolean {
    return this.#closing === undefined && this.#identity === identity;
  }

  async join(listener: DirectoryListener): Promise<DirectoryWatch> {
    this.#add(listener);
    try {
      const watch = await this.#watch;
      const isLost = (): boolean => this.#closing !== undefined || watch.lost;
      return {
        get lost() {
          return isLost();
        },
        close: () => this.#leave(listener),
      };
    } catch (error) {
      await this.#leave(listener);
      throw error;
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#watch
      .then(
        (watch) => watch.close(),
        () => undefined,
      )
      .then(this.#closed);
    return this.#closing;
  }

  #add(listener: DirectoryListener): void {
    const same = this.#listeners.get(listener.entry);
    if (same === undefined) this.#listeners.set(listener.entry, new Set([listener]));
    else same.add(listener);
  }

  async #leave(listener: DirectoryListener): Promise<void> {
    const same = this.#listeners.get(listener.entry);
    same?.delete(listener);
    if (same?.size === 0) this.#listeners.delete(listener.entry);
    if (this.#listeners.size === 0) await this.close();
  }

  #heard(event: DirectoryEvent): void {
    for (const listener of event.name === undefined ? this.#all() : this.#concernedBy(event.name)) listener.heard(event);
  }

  #lose(): void {
    if (this.#closing !== undefined) return;
    void this.close();
    for (const listener of this.#all()) listener.lost();
  }

  #all(): readonly DirectoryListener[] {
    return [...this.#listeners.values()].flatMap((listeners) => [...listeners]);
  }

  #concernedBy(name: string): readonly DirectoryListener[] {
    return [name, undefined].flatMap((entry) => [...(this.#listeners.get(entry) ?? [])]);
  }
}
