import type { Log } from './log.ts';

/** What is in flight may go on this long after the end was asked for; the rest of the grace period is for releasing what is held. */
export const DRAIN_MS = 4000;

/** What is in flight may go on this long after a client closed its side: nobody may wait for it any more, and within a second all of it has ended. */
export const LEFT_MS = 750;

/** The process is gone so long after the end was asked for. */
const GRACE_MS = 5000;
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Resolves when the process is asked to end, which then has a grace period; a second signal ends it at once. */
export function endRequested(log: Log): Promise<void> {
  return new Promise((resolve) => {
    let asked = false;
    const end = (signal: NodeJS.Signals): void => {
      if (asked) process.exit(1);
      asked = true;
      log.info(`${signal}: closing`);
      forceExit();
      resolve();
    };
    for (const signal of SIGNALS) process.on(signal, end);
  });
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
export function forceExit(): void {
  setTimeout(() => process.exit(), GRACE_MS).unref();
}
