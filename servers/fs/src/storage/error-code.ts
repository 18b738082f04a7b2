/** Returns the code of an error of `node:fs`, such as `ENOENT`, or `undefined` for any other error. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
