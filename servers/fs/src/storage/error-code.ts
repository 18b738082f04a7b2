/** Returns the code of an error, such as `ENOENT`. Returns `undefined` for an error without a code and for any other value. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
