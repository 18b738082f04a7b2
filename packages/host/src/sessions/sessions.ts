import type { Shares } from '@org/mcp-decorators';

import { takeShare } from '../http-messages/take-share.ts';
import { unknownSession, type Session, type SessionWire } from './session.ts';

/** Limits of sessions; times in milliseconds. */
export interface SessionLimits {
  /** Limit on open sessions, which may be shared with other instances. */
  readonly shares: Shares;
  /** Idle time after which a session is closed. */
  readonly idleMs: number;
  /** Idle time after which a listening session is pinged, at most half of {@link idleMs}; 0 disables pings. */
  readonly pingMs: number;
}

/** Maximum interval in milliseconds between checks for idle sessions. */
const MAX_CHECK_MS = 5000;

/** The sessions of one server object, by id. */
export class Sessions<Wire extends SessionWire> implements AsyncDisposable {
  readonly #limits: SessionLimits;
  readonly #pingMs: number;
  readonly #sessions = new Map<string, Session<Wire>>();
  readonly #timer: NodeJS.Timeout;
  readonly #onError: (error: Error) => void;
  readonly #onClosed: (id: string) => void;

  /** @param onClosed called with the id of each closed session */
  constructor(limits: SessionLimits, onError: (error: Error) => void, onClosed: (id: string) => void = () => undefined) {
    const { idleMs, pingMs } = limits;
    this.#limits = limits;
    this.#onError = onError;
    this.#onClosed = onClosed;
    this.#pingMs = pingMs > 0 ? Math.min(pingMs, idleMs / 2) : Infinity;
    this.#timer = setInterval(() => this.#checkIdle(), Math.ceil(Math.min(idleMs / 2, this.#pingMs / 2, MAX_CHECK_MS)));
    this.#timer.unref();
  }

  get size(): number {
    return this.#sessions.size;
  }

  /**
   * Opens a session, which {@link find} returns until it is closed.
   *
   * @throws HttpError 503 if the maximum number of sessions is open, 429 if this principal has reached its share
   */
  async open<Own extends Wire>(create: () => Session<Own>, principal: string | undefined): Promise<Session<Own>> {
    const giveBack = takeShare(this.#limits.shares, { principal, what: 'sessions' });
    const session = create();
    this.#sessions.set(session.id, session);
    await session.open(() => {
      if (!this.#sessions.delete(session.id)) return;
      giveBack();
      this.#onClosed(session.id);
    });
    return session;
  }

  /**
   * Returns the session with this id.
   *
   * @throws HttpError 404 if the session does not exist or another principal opened it
   */
  find(id: string, principal: string): Session<Wire> {
    const session = this.#sessions.get(id);
    if (session?.principal !== principal) throw unknownSession();
    session.touch();
    return session;
  }

  /** Whether a session with this id is open. */
  has(id: string): boolean {
    return this.#sessions.has(id);
  }

  /** Closes the session with this id, if there is one. */
  close(id: string): void {
    const session = this.#sessions.get(id);
    if (session !== undefined) this.#close(session);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all([...this.#sessions.values()].map((session) => session.close()));
  }

  #close(session: Session<Wire>): void {
    session.close().catch(this.#onError);
  }

  #checkIdle(): void {
    for (const session of this.#sessions.values()) {
      const { idle } = session;
      if (idle >= this.#limits.idleMs) this.#close(session);
      else if (idle >= this.#pingMs && session.wire.isListening) session.ping().catch(() => this.#close(session));
    }
  }
}
