import type { Log } from './log.ts';

/** What is in flight may go on this long after the end was asked for; the rest of the grace period is for releasing what is held. */
export const DRAIN_MS = 4000;

/** What is in flight may go on this long after a client closed its side: nobody may wait for it any more, and within a second all of it has ended. */
export const LEFT_MS = 750;

/** The process is gone so long after the end was asked for. */
const GRACE_MS = 5000;

/** The same after a second signal. */
const HURRIED_MS = 1000;
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** The signals by which the process was asked to end. */
export interface EndRequest {
  /** Resolves at the first signal; the process then has a grace period. */
  readonly requested: Promise<NodeJS.Signals>;
  /** Resolves at the second signal: the sender does not wait for calls, and the grace period is one second. */
  readonly repeated: Promise<NodeJS.Signals>;
  /** Whether there was a signal. */
  readonly isRequested: boolean;
}

let taken: TakenSignals | undefined;

/** Takes the signals that end a process, from the first call on: what a start has made so far is then released, too. */
export function takeSignals(): EndRequest {
  return (taken ??= new TakenSignals());
}

/** Lets signals end the process at once again, as does one that was taken before. */
export function giveBackSignals(): void {
  taken?.giveBack();
  taken = undefined;
}

/**
 * Process groups and wrappers such as npx send a signal several times, so that the second one must not end the process before it has
 * released what it holds.
 */
class TakenSignals implements EndRequest {
  readonly requested: Promise<NodeJS.Signals>;
  readonly repeated: Promise<NodeJS.Signals>;
  readonly #received: NodeJS.Signals[] = [];
  readonly #resolvers: ((signal: NodeJS.Signals) => void)[] = [];

  constructor() {
    this.requested = new Promise((resolve) => this.#resolvers.push(resolve));
    this.repeated = new Promise((resolve) => this.#resolvers.push(resolve));
    for (const signal of SIGNALS) process.on(signal, this.#receive);
  }

  get isRequested(): boolean {
    return this.#received.length > 0;
  }

  giveBack(): void {
    for (const signal of SIGNALS) process.off(signal, this.#receive);
    const [first] = this.#received;
    if (first !== undefined) process.kill(process.pid, first);
  }

  readonly #receive = (signal: NodeJS.Signals): void => {
    const count = this.#received.push(signal);
    if (count <= this.#resolvers.length) forceExit(count === 1 ? GRACE_MS : HURRIED_MS);
    this.#resolvers[count - 1]?.(signal);
  };
}

/** Waits for work that is in flight, at most so many milliseconds, and not longer than until `hurry`. */
export async function drain(work: Promise<unknown>, ms: number, hurry?: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race(hurry === undefined ? [work, over] : [work, over, hurry]);
  clearTimeout(timer);
}

/** Ends the process with 1 after an error nobody handled, releasing what it holds first. */
export function exitOnUnhandled(log: Log, release: () => Promise<void>): void {
  const fail = (error: unknown): void => {
    log.error('unhandled error', error);
    process.exitCode = 1;
    forceExit();
    const exit = (): never => process.exit(1);
    release().then(exit, exit);
  };
  process.once('unhandledRejection', fail);
  process.once('uncaughtException', fail);
}

/** Lets the process end by itself once its work is done, or by force after the grace period. */
export function forceExit(ms: number = GRACE_MS): void {
  setTimeout(() => process.exit(), ms).unref();
}
