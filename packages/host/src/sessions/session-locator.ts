import type { Admission } from '../auth/admission.ts';
import { forwardRequest, MISDIRECTED, OWNER_HEADER, type ForwardedRequest } from '../http-messages/forward-request.ts';
import { HttpError } from '../http-messages/http-error.ts';
import { getHeader } from '../http-messages/request-headers.ts';
import { KnownOwners } from './known-owners.ts';
import { unknownSession, type Session } from './session.ts';
import type { SessionRecord } from '../shared-state/session-record.ts';
import type { FoundSession, SharedSessions } from '../shared-state/shared-sessions.ts';
import type { SharedSessionTransport } from './shared-session-transport.ts';

/** A session that this process has taken over, and that is not open yet. */
export interface TakenSession {
  readonly id: string;
  readonly record: SessionRecord;
}

/** A session that a request is for, and that this process does not have. */
export interface SoughtSession {
  readonly id: string;
  readonly received: ForwardedRequest;
  readonly admission: Admission;
}

type SharedSession = Session<SharedSessionTransport>;

/**
 * Maximum number of attempts to find the process of a session in the store: each process may end, or lose the session to another
 * one.
 */
const MAX_ATTEMPTS = 3;

/** Finds sessions that this process does not have. */
export class SessionLocator {
  readonly #shared: SharedSessions;
  readonly #open: (taken: TakenSession, admission: Admission) => Promise<SharedSession>;
  readonly #owners = new KnownOwners();
  /** Sessions that this process is taking over, by id. */
  readonly #opening = new Map<string, Promise<boolean>>();

  constructor(shared: SharedSessions, open: (taken: TakenSession, admission: Admission) => Promise<SharedSession>) {
    this.#shared = shared;
    this.#open = open;
  }

  /** Waits while this process is taking over the session. Never rejects. */
  async settled(id: string): Promise<void> {
    await this.#opening.get(id)?.catch(() => undefined);
  }

  /**
   * Forwards a request to the process that has its session; resolves to `true` when the response is complete. If no process has the
   * session, takes it over, and resolves to `false`.
   *
   * @throws HttpError 404 for an unknown session, 421 for a request that another process has forwarded, 502 if the process of the
   *   session has ended and may have handled the request, 503 if the session cannot be found now, and 503 or 429 if this process
   *   may not open another session
   */
  async isAnsweredElsewhere({ id, received, admission }: SoughtSession): Promise<boolean> {
    if (getHeader(received.request, OWNER_HEADER) !== undefined)
      throw new HttpError(MISDIRECTED, 'Another process has this session');
    if (await this.#isAnsweredByKnown({ id, received, admission })) return true;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const found = await this.#shared.find(id).catch(storeFailed);
      if (found === undefined) throw unknownSession();
      assertPrincipal(found.record, admission);
      if (this.#isElsewhere(found.record)) {
        this.#owners.set(id, found.record);
        if (await this.#isAnsweredByKnown({ id, received, admission })) return true;
      }
      if (await this.#takeOver(found, admission)) return false;
    }
    throw unavailable('Other processes are taking over this session');
  }

  /** Forwards a request to the process that had the session at the last request. That process rejects the request if it has it no more. */
  async #isAnsweredByKnown({ id, received, admission }: SoughtSession): Promise<boolean> {
    const known = this.#owners.get(id);
    if (known === undefined) return false;
    assertPrincipal(known, admission);
    const isAnswered = await forwardRequest(received, known);
    if (!isAnswered) this.#owners.delete(id);
    return isAnswered;
  }

  #isElsewhere({ owner }: SessionRecord): boolean {
    return owner !== '' && owner !== this.#shared.owner;
  }

  /** Takes a session over once, although several requests of its client may wait for it. Resolves to `false` if another process has it. */
  #takeOver(found: FoundSession, admission: Admission): Promise<boolean> {
    const { id } = found;
    const opening = this.#opening.get(id) ?? this.#claim(found, admission).finally(() => this.#opening.delete(id));
    this.#opening.set(id, opening);
    return opening;
  }

  async #claim(found: FoundSession, admission: Admission): Promise<boolean> {
    const record = await this.#shared.takeOver(found).catch(storeFailed);
    if (record === undefined) return false;
    const { id } = found;
    const session = await this.#open({ id, record }, admission).catch(async (error: unknown) => {
      await this.#shared.giveUp(id);
      throw error;
    });
    await session.wire.restore(admission.auth);
    if (session.wire.version !== '') return true;
    await session.close();
    throw unknownSession();
  }
}

function assertPrincipal({ principal }: Pick<SessionRecord, 'principal'>, { principalKey }: Admission): void {
  if (principal !== principalKey) throw unknownSession();
}

function storeFailed(error: unknown): never {
  throw unavailable('The sessions of other processes are not available', error);
}

function unavailable(problem: string, cause?: unknown): HttpError {
  const error = new HttpError(503, `${problem}; try again`, { headers: { 'Retry-After': '1' } });
  error.cause = cause;
  return error;
}
