import { randomUUID } from 'node:crypto';

import { Claim, type ClaimContext } from './claim.ts';
import { RecordCipher, type SessionRecord, type SessionState } from './session-record.ts';
import type { SessionStore } from './session-store.ts';

/** Options for sessions that other processes can continue. All processes need the same store and the same key. */
export interface SharedSessionOptions {
  readonly store: SessionStore;
  /** Encrypts what is stored; at least 32 bytes. */
  readonly key: Uint8Array | string;
  /** Base URL at which the other processes reach this one. Default: the address on which this process listens; required for a handler. */
  readonly peerUrl?: string;
}

export interface SharedSessionsContext extends SharedSessionOptions {
  /** Names of the server and of its path, which are the same in all processes. */
  readonly scope: readonly [server: string, path: string];
  /** Idle time in milliseconds after which a session is closed. */
  readonly idleMs: number;
  readonly onError: (error: unknown) => void;
}

/** A session that another process has, or had. */
export interface FoundSession {
  readonly id: string;
  readonly record: SessionRecord;
  /** The text in the store. */
  readonly text: string;
}

/** Maximum interval in milliseconds at which a process renews the records of its sessions. */
const MAX_RENEW_MS = 15_000;

/** The sessions of one server object that other processes can find and take over. */
export class SharedSessions implements Disposable {
  /** Id of this process. */
  readonly owner: string = randomUUID();
  readonly #context: SharedSessionsContext;
  readonly #claiming: ClaimContext;
  readonly #claims = new Map<string, Claim>();
  readonly #timer: NodeJS.Timeout;
  #url: string;
  #isReleased = false;
  #lose: (sessionId: string) => void = () => undefined;

  constructor(context: SharedSessionsContext) {
    const { store, key, scope, peerUrl = '', idleMs } = context;
    const renewMs = Math.min(idleMs / 4, MAX_RENEW_MS);
    this.#context = context;
    this.#claiming = { store, cipher: new RecordCipher(key, scope), lifetimeMs: idleMs + 2 * renewMs };
    this.#url = peerUrl;
    this.#timer = setInterval(() => void this.#renewAll(), renewMs).unref();
  }

  /** Sets the base URL of this process, unless the options give one, and the function that closes a session which another process took over. */
  connect({ url, lose }: { readonly url?: string; readonly lose?: (sessionId: string) => void }): void {
    if (url !== undefined && this.#url === '') this.#url = url;
    if (lose !== undefined) this.#lose = lose;
  }

  /** Stores a new session, or the changed state of a session. Never rejects: without the store, the session continues in this process. */
  async save(id: string, principal: string, state: SessionState): Promise<void> {
    if (this.#isReleased) return;
    const known = this.#claims.get(id);
    const claim =
      known ?? new Claim(this.#claiming, this.#claiming.cipher.keyOf(id), this.#own({ generation: 0, principal, state }));
    this.#claims.set(id, claim);
    await this.#keep(id, () => claim.write({ state }));
  }

  /** Finds a session in the store. Resolves to `undefined` for an unknown session. Rejects if the store is not available. */
  async find(id: string): Promise<FoundSession | undefined> {
    const { store, cipher } = this.#claiming;
    const key = cipher.keyOf(id);
    const text = await store.read(key);
    const record = text === undefined ? undefined : await cipher.decrypt(key, text);
    return text === undefined || record === undefined ? undefined : { id, record, text };
  }

  /**
   * Claims a session whose process has ended, cannot be reached, or has given the session up. Resolves to its record, or to
   * `undefined` if another process was faster or the session has ended. Rejects if the store is not available.
   */
  async takeOver({ id, record, text }: FoundSession): Promise<SessionRecord | undefined> {
    const taken = this.#own({ ...record, generation: record.generation + 1 });
    const claim = new Claim(this.#claiming, this.#claiming.cipher.keyOf(id), taken, text);
    if (!(await claim.take())) return undefined;
    this.#claims.set(id, claim);
    return taken;
  }

  /** Gives up a session, so that another process can continue it. */
  async giveUp(id: string): Promise<void> {
    const claim = this.#claims.get(id);
    this.#claims.delete(id);
    await claim?.write({ owner: '' }).catch(this.#context.onError);
  }

  /** Deletes a session that ends, so that no process continues it. Never rejects. */
  async forget(id: string): Promise<void> {
    const claim = this.#claims.get(id);
    this.#claims.delete(id);
    await claim?.delete().catch(this.#context.onError);
  }

  /** Gives up all sessions and stores no further ones, because this process ends. */
  async release(): Promise<void> {
    this.#isReleased = true;
    await Promise.all([...this.#claims.keys()].map((id) => this.giveUp(id)));
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  #own(record: Omit<SessionRecord, 'owner' | 'url'>): SessionRecord {
    return { ...record, owner: this.owner, url: `${this.#url}${this.#context.scope[1]}` };
  }

  async #renewAll(): Promise<void> {
    await Promise.all([...this.#claims].map(([id, claim]) => this.#keep(id, () => claim.renew())));
  }

  /** Stores or renews a claim. Closes the session if another process has claimed it. Never rejects. */
  async #keep(id: string, store: () => Promise<boolean>): Promise<void> {
    try {
      if (await store()) return;
    } catch (error) {
      this.#context.onError(error);
      return;
    }
    if (this.#claims.delete(id)) this.#lose(id);
  }
}
