import { getSystemErrorMap } from 'node:util';
import { isNativeError } from 'node:util/types';

/** Returns the code of an error, such as `ENOENT`. Returns `undefined` for an error without a code and for any other value. */
export function getErrorCode(error: unknown): string | undefined {
  // An error of Node.js is not an `instanceof Error` in tests with Jest, which run in another realm.
  return isNativeError(error) && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** Describes an error in words: `no such file or directory` for an error of the system, otherwise its message. */
export function describeError(error: unknown): string {
  const number = isNativeError(error) && 'errno' in error ? error.errno : undefined;
  const known = typeof number === 'number' ? getSystemErrorMap().get(number) : undefined;
  return known?.[1] ?? (error instanceof Error ? error.message : String(error));
}
