import type { Peer } from '../http-messages/forward-request.ts';
import type { SessionRecord } from '../shared-state/session-record.ts';

/** The process that had a session when it was last looked up. */
export interface KnownOwner extends Peer {
  /** Key of the principal that opened the session. */
  readonly principal: string;
}

/** Maximum number of sessions. An entry has about 300 bytes, so all of them have about 3 MB. */
const MAX_OWNERS = 10_000;

/** Remembers which processes have the sessions of recent requests, so that not every request reads the store. */
export class KnownOwners {
  readonly #owners = new Map<string, KnownOwner>();

  get(sessionId: string): KnownOwner | undefined {
    return this.#owners.get(sessionId);
  }

  set(sessionId: string, { owner, url, principal }: SessionRecord): void {
    this.#owners.set(sessionId, { owner, url, principal });
    if (this.#owners.size <= MAX_OWNERS) return;
    for (const oldest of this.#owners.keys()) {
      this.#owners.delete(oldest);
      return;
    }
  }

  delete(sessionId: string): void {
    this.#owners.delete(sessionId);
  }
}
