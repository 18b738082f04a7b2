import { OwnedEntries, type OwnedLimits } from './owned-entries.ts';

/**
 * How calls that may lose data are confirmed. `ask`: the user confirms in a dialogue of the client; only a client
 * without dialogues gets tokens. `token`: every client gets tokens, and no dialogue is shown.
 */
export type ConfirmPolicy = 'ask' | 'token';

/**
 * Limits in bytes. An entry without text counts as 300 bytes, so one caller has at most 3,333 entries (two for each operation) and
 * all callers together have at most 33,333.
 */
const LIMITS: OwnedLimits = { perOwner: 1_000_000, total: 10_000_000 };

/** Decisions of the operator and the user about calls of one caller. */
export interface Consent {
  readonly policy: ConfirmPolicy;
  /**
   * Whether the user declined an operation with one of these marks within a day and has not confirmed it since.
   *
   * @param marks identify the operation
   */
  isDeclined(marks: readonly string[]): boolean;
  recordDecline(marks: readonly string[]): void;
  recordConfirmation(marks: readonly string[]): void;
}

/**
 * Remembers in the memory of this process which operations users declined, so that no token confirms them. Beyond the limits of
 * the memory, the oldest declined operations are forgotten.
 */
export class Consents {
  readonly #policy: ConfirmPolicy;
  readonly #declined = new OwnedEntries(LIMITS);

  constructor(policy: ConfirmPolicy = 'ask') {
    this.#policy = policy;
  }

  /**
   * @param caller identifies the principal, or else the session or the connection. `undefined`: several clients may be behind the
   *   request, so nothing is remembered: the decision of one user must not bind the others
   * @param tool the name of the tool
   */
  of(caller: string | undefined, tool: string): Consent {
    const policy = this.#policy;
    if (caller === undefined) return { policy, isDeclined: () => false, recordDecline() {}, recordConfirmation() {} };
    return {
      policy,
      isDeclined: (marks) => marks.some((mark) => this.#declined.get(caller, `${tool} ${mark}`) !== undefined),
      recordDecline: (marks) => marks.forEach((mark) => this.#declined.set(caller, `${tool} ${mark}`, '')),
      recordConfirmation: (marks) => marks.forEach((mark) => this.#declined.delete(caller, `${tool} ${mark}`)),
    };
  }
}
