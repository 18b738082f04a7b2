import type { Log } from './log.ts';

/**
 * Milliseconds that requests in flight get after the first signal; in the rest of the grace period, resources are
 * released.
 */
export const DRAIN_MS = 4000;

/**
 * Milliseconds for requests in flight after a client closed its end of the connection. The client is probably gone, so the
 * process normally ends within a second.
 */
export const CLIENT_GONE_DRAIN_MS = 750;

/** The process exits at most this many milliseconds after the first signal. */
const GRACE_MS = 5000;

/** The process exits at most this many milliseconds after the second signal. */
const HURRIED_MS = 1000;

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** A request to end the process, made by SIGINT or SIGTERM. */
export interface ShutdownRequest {
  /** Resolves at the first signal; the process then has a grace period. */
  readonly requested: Promise<NodeJS.Signals>;
  /** Resolves at the second signal: calls are no longer awaited, and the grace period is one second. */
  readonly repeated: Promise<NodeJS.Signals>;
  /** Whether a signal was received. */
  readonly isRequested: boolean;
}

let listener: SignalListener | undefined;

/** Intercepts SIGINT and SIGTERM from the first call on, so that a start that is interrupted releases its resources. */
export function interceptSignals(): ShutdownRequest {
  return (listener ??= new SignalListener());
}

/** Restores the default effect of signals. If a signal was intercepted before, it now ends the process. */
export function releaseSignals(): void {
  listener?.release();
  listener = undefined;
}

/**
 * Listens to signals. Process groups and wrappers such as npx send a signal several times, so the second signal must not end the process
 * before it has released its resources.
 */
class SignalListener implements ShutdownRequest {
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

  release(): void {
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

/** Waits until the work has settled, but at most `ms` milliseconds, and only until `hurry` resolves. */
export async function drain(work: Promise<unknown>, ms: number, hurry?: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race(hurry === undefined ? [work, over] : [work, over, hurry]);
  clearTimeout(timer);
}

/** After an unhandled error, releases the resources and exits with code 1. */
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

/** Exits after the grace period if the process has not ended by itself. */
export function forceExit(ms: number = GRACE_MS): void {
  setTimeout(() => process.exit(), ms).unref();
}
