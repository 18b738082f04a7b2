import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from 'node:fs';

import { describeError } from './error-code.ts';
import { UsageError } from './usage-error.ts';

/** Minimum size of a key in bytes (256 bits); a shorter key can be guessed. */
const MIN_BYTES = 32;
/** Maximum size of a key in bytes; a larger file is probably not a key. */
const MAX_BYTES = 4096;
/** Permission bits of all users except the owner. */
const OTHERS = 0o077;

/**
 * Reads the key in a file: all its bytes, 32 to 4,096. Calls `warn` if other users can read or write the file.
 *
 * @throws UsageError if the file cannot be read or does not contain such a key
 */
export function readStateKey(file: string, warn: (message: string) => void): Uint8Array {
  const { facts, key } = read(file);
  if (key.length < MIN_BYTES) throw unusable(file, `has ${key.length} bytes; a key has at least ${MIN_BYTES}`);
  // Windows has no such permission bits.
  if (process.platform !== 'win32' && (facts.mode & OTHERS) !== 0)
    warn(`other users can access the state key file ${file} (mode ${octal(facts.mode)}); run chmod 600 on it`);
  return key;
}

function read(file: string): { readonly facts: Stats; readonly key: Uint8Array } {
  try {
    // With O_NONBLOCK, opening a FIFO does not wait for a writer.
    const descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const facts = fstatSync(descriptor);
      if (!facts.isFile()) throw unusable(file, 'is not a file');
      if (facts.size > MAX_BYTES) throw unusable(file, `has ${facts.size} bytes; a key has at most ${MAX_BYTES}`);
      return { facts, key: readFileSync(descriptor) };
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw unusable(file, `cannot be read: ${describeError(error)}`, error);
  }
}

function unusable(file: string, problem: string, cause?: unknown): UsageError {
  return new UsageError(`the state key file ${file} ${problem}; to create a key, run: (umask 077; openssl rand -out FILE 32)`, {
    cause,
  });
}

function octal(mode: number): string {
  return (mode & 0o777).toString(8).padStart(3, '0');
}
