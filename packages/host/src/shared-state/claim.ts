import type { RecordCipher, SessionRecord } from './session-record.ts';
import type { SessionStore } from './session-store.ts';

/** How a process stores its claims. */
export interface ClaimContext {
  readonly store: SessionStore;
  readonly cipher: RecordCipher;
  /** Milliseconds after which the store forgets a session that no process renews. */
  readonly lifetimeMs: number;
}

/** The hold of this process on one session, which ends when another process takes the session over. */
export class Claim {
  readonly #context: ClaimContext;
  readonly #key: string;
  readonly #owner: string;
  #record: SessionRecord;
  /**
   * The text that this process expects in the store: the text that it wrote last or, before {@link take}, the text of
   * another process. `undefined` if it expects no text.
   */
  #text: string | undefined;
  #last: Promise<unknown> = Promise.resolve();

  /** @param text the text of another process in the store; absent for a new session */
  constructor(context: ClaimContext, key: string, record: SessionRecord, text?: string) {
    this.#context = context;
    this.#key = key;
    this.#owner = record.owner;
    this.#record = record;
    this.#text = text;
  }

  /** Takes the session over from its earlier process. Resolves to `false` if the session was taken over or has ended in the meantime. */
  take(): Promise<boolean> {
    return this.#enqueue(async () => this.#exchange(await this.#encrypt()));
  }

  /** Stores changes of the record. Resolves to whether the session is still claimed. Rejects if the store is not available. */
  write(changes: Partial<SessionRecord>): Promise<boolean> {
    this.#record = { ...this.#record, ...changes };
    return this.#enqueue(async () => this.#replace(await this.#encrypt()));
  }

  /** Restarts the lifetime of the record. Resolves and rejects like {@link write}. */
  renew(): Promise<boolean> {
    return this.#enqueue(async () => this.#replace(this.#text ?? (await this.#encrypt())));
  }

  /** Deletes the record. Rejects if the store is not available. */
  async delete(): Promise<void> {
    await this.#enqueue(() => this.#exchange(undefined));
  }

  /** Runs one operation at a time, because each one expects the text that the one before has written. */
  #enqueue<Outcome>(run: () => Promise<Outcome>): Promise<Outcome> {
    const result = this.#last.then(run, run);
    this.#last = result;
    return result;
  }

  #encrypt(): Promise<string> {
    return this.#context.cipher.encrypt(this.#key, this.#record);
  }

  async #replace(next: string): Promise<boolean> {
    if (await this.#exchange(next)) return true;
    // The store may have been emptied, or it may have replaced a text without an answer: then no other process has claimed the session.
    const stored = await this.#context.store.read(this.#key);
    if (stored !== undefined && !(await this.#isOwn(stored))) return false;
    this.#text = stored;
    return await this.#exchange(next);
  }

  async #isOwn(text: string): Promise<boolean> {
    const record = await this.#context.cipher.decrypt(this.#key, text);
    return record?.owner === this.#owner && record.generation === this.#record.generation;
  }

  async #exchange(next: string | undefined): Promise<boolean> {
    const { store, lifetimeMs } = this.#context;
    const isReplaced = await store.replace(this.#key, { previous: this.#text, next, lifetimeMs });
    if (isReplaced) this.#text = next;
    return isReplaced;
  }
}
