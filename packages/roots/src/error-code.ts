/** The code of an error of `node:fs`. By itself, because what runs in threads is not to load what reports failures. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
