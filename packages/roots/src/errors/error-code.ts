/** Returns the code of an error of `node:fs`. It has its own file because worker threads must not load the error texts. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
