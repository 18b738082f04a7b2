import { isNativeError } from 'node:util/types';

/** Returns the code of an error of `node:fs`. The function has its own file: worker threads must not load the error texts. */
export function errorCode(error: unknown): string | undefined {
  // An error of Node.js is not an `instanceof Error` in tests with Jest, which run in another realm.
  return isNativeError(error) && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
