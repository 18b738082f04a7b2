import type { Shares } from '@org/mcp-decorators';

import { takeShare } from '../http/shortage.ts';
import type { Session, SessionWire } from './session.ts';
import { unknownSession } from './session-refusals.ts';

/** What sessions may cost; times in milliseconds. */
export interface SessionLimits {
  /** Limit on open sessions, which may be shared with other instances. */
  readonly shares: Shares;
  /** One that was not heard of for so long is closed. */
  readonly idleMs: number;
  /** One that listens and was not heard of for so long, or for half of {@link idleMs}, is asked whether it is there; 0 never asks. */
  readonly pingMs: number;
}

/** Looks for what is idle at least so often. */
const MAX_TICK_MS = 5000;

/** The sessions of one server object, by id. */
export class Sessions<Wire extends SessionWire> implements AsyncDisposable {
  readonly #limits: SessionLimits;
  readonly #pingMs: number;
  readonly #sessions = new Map<string, Session<Wire>>();
  readonly #tick: NodeJS.Timeout;
  readonly #onError: (error: Error) => void;

  constructor(limits: SessionLimits, onError: (error: Error) => void) {
    const { idleMs, pingMs } = limits;
    this.#limits = limits;
    this.#onError = onError;
    this.#pingMs = pingMs > 0 ? Math.min(pingMs, idleMs / 2) : Infinity;
    this.#tick = setInterval(() => this.#review(), Math.ceil(Math.min(idleMs / 2, this.#pingMs / 2, MAX_TICK_MS)));
    this.#tick.unref();
  }

  get size(): number {
    return this.#sessions.size;
  }

  /**
   * Opens a session, which is found by its id until it is closed.
   *
   * @throws Refusal 503 if the maximum number of sessions is open, 429 if this principal has reached its share
   */
  async open(create: () => Session<Wire>, principal: string | undefined): Promise<Session<Wire>> {
    const giveBack = takeShare(this.#limits.shares, { principal, what: 'sessions' });
    const session = create();
    this.#sessions.set(session.id, session);
    await session.open(() => {
      if (this.#sessions.delete(session.id)) giveBack();
    });
    return session;
  }

  /**
   * The session of an id, for the principal that opened it.
   *
   * @throws Refusal 404 for any other
   */
  find(id: string, principal: string): Session<Wire> {
    const session = this.#sessions.get(id);
    if (session?.principal !== principal) throw unknownSession();
    session.touch();
    return session;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#tick);
    await Promise.all([...this.#sessions.values()].map((session) => session.close()));
  }

  #close(session: Session<Wire>): void {
    session.close().catch(this.#onError);
  }

  #review(): void {
    for (const session of this.#sessions.values()) {
      const { idle } = session;
      if (idle >= this.#limits.idleMs) this.#close(session);
      else if (idle >= this.#pingMs && session.wire.isListening) session.ping().catch(() => this.#close(session));
    }
  }
}
