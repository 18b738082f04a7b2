import { isNativeError } from 'node:util/types';

/** Returns the code of an error, such as `ENOENT`. Returns `undefined` for an error without a code and for any other value. */
export function errorCode(error: unknown): string | undefined {
  // `instanceof Error` would be false for errors of Node.js in tests with Jest, which run in another realm.
  return isNativeError(error) && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
