const LIMITS: ReadonlySet<string | undefined> = new Set(['ENOSPC', 'EMFILE', 'ENFILE', 'MAX_WATCHES']);

/** Whether the error says that nothing is there, or only what links that lead in a circle promise. */
export function isMissing(error: unknown): boolean {
  const code = errorCode(error);
  return code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP';
}

/** The code of an error that says that the machine, the process or the hub has no watches left; `undefined` for any other. */
export function limitCode(error: unknown): string | undefined {
  const code = errorCode(error);
  return LIMITS.has(code) ? code : undefined;
}

/** Whether the error says that this user may not look. */
export function isForbidden(error: unknown): boolean {
  const code = errorCode(error);
  return code === 'EACCES' || code === 'EPERM';
}

/** That something cannot be watched, with the code of what stood in the way. */
export class PollingError extends Error {
  override readonly name = 'PollingError';
  readonly code: string | undefined;

  constructor(cause: unknown) {
    super(`${cause instanceof Error ? cause.message : String(cause)}; what cannot be watched is looked at every second`, {
      cause,
    });
    this.code = errorCode(cause);
  }
}

function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
