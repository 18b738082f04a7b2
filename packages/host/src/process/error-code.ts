import { isNativeError } from 'node:util/types';

/** Returns the code of an error, such as `ENOENT`. Returns `undefined` for an error without a code and for any other value. */
export function getErrorCode(error: unknown): string | undefined {
  // An error of Node.js is not an `instanceof Error` in tests with Jest, which run in another realm.
  return isNativeError(error) && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
