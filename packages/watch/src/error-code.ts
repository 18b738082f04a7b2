/** Whether the error says that nothing is there. */
export function isMissing(error: unknown): boolean {
  const code = errorCode(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** Whether the error says that the machine or the process has no watches left. */
export function isLimit(error: unknown): boolean {
  const code = errorCode(error);
  return code === 'ENOSPC' || code === 'EMFILE' || code === 'ENFILE';
}

/** Whether the error says that this user may not look. */
export function isForbidden(error: unknown): boolean {
  const code = errorCode(error);
  return code === 'EACCES' || code === 'EPERM';
}

function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
