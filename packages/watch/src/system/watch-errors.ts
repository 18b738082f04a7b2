import { isNativeError } from 'node:util/types';

const LIMITS: ReadonlySet<string | undefined> = new Set(['ENOSPC', 'EMFILE', 'ENFILE', 'MAX_WATCHES']);

/** Returns whether the error reports a missing file or a loop of links. */
export function isMissing(error: unknown): boolean {
  const code = errorCode(error);
  return code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP';
}

/** Returns the code of an error that reports a limit of watches or descriptors; `undefined` for other errors. */
export function getLimitCode(error: unknown): string | undefined {
  const code = errorCode(error);
  return LIMITS.has(code) ? code : undefined;
}

/** Returns whether the error reports a lack of permission. */
export function isForbidden(error: unknown): boolean {
  const code = errorCode(error);
  return code === 'EACCES' || code === 'EPERM';
}

/** Reports that a resource is polled because it cannot be watched. The report has the error code of the cause. */
export class PollingError extends Error {
  override readonly name = 'PollingError';
  readonly code: string | undefined;

  constructor(cause: unknown) {
    super(`${cause instanceof Error ? cause.message : String(cause)}; resources that cannot be watched are polled every second`, {
      cause,
    });
    this.code = errorCode(cause);
  }
}

function errorCode(error: unknown): string | undefined {
  // An error of Node.js is not an `instanceof Error` in tests with Jest, which run in another realm.
  return isNativeError(error) && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
