/**
 * Keeps one text per key for a limited time, for all processes that serve the same clients. Keys have up to 64 letters, digits, `-` and
 * `_`. The texts have up to 2 MiB; texts with contents are encrypted. No text may be deleted before its lifetime ends.
 */
export interface SessionStore {
  /** Returns the text of a key, or `undefined` for a key without a text. Rejects if the store is not available. */
  read(key: string): Promise<string | undefined>;
  /**
   * Replaces a text in one step if the key still has the text `previous`, and restarts its lifetime. Resolves to whether it was
   * replaced. Rejects if the store is not available; the text may then have been replaced.
   */
  replace(key: string, change: StoredChange): Promise<boolean>;
}

/** A change of one key in a {@link SessionStore}. */
export interface StoredChange {
  /** The expected text; `undefined` if the key must have no text. */
  readonly previous: string | undefined;
  /** The new text; `undefined` deletes the key. */
  readonly next: string | undefined;
  /** Milliseconds after which the store deletes the text. */
  readonly lifetimeMs: number;
}
