import type { Log } from './log.ts';

/** In-flight work may go on this long after the end was asked for; then the process exits regardless. */
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
