import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from 'node:fs';

import { UsageError } from './usage-error.ts';

/** 256 bits: what is shorter can be guessed. */
const MIN_BYTES = 32;
/** A key is no document: whoever names a larger file has named the wrong one. */
const MAX_BYTES = 4096;
/** Anybody but the owner. */
const OTHERS = 0o077;

/**
 * The key in a file: its bytes as they are, 32 to 4,096 of them. A file that others than its owner may read or write is told to `warn`.
 *
 * @throws UsageError if there is no such file or it holds no such key
 */
export function readStateKey(file: string, warn: (message: string) => void): Uint8Array {
  const { facts, key } = read(file);
  if (key.length < MIN_BYTES) throw unusable(file, `has ${key.length} bytes, and at least ${MIN_BYTES} are needed`);
  // Windows has no such permissions.
  if (process.platform !== 'win32' && (facts.mode & OTHERS) !== 0)
    warn(`the state key file ${file} can be used by others than its owner (mode ${octal(facts.mode)}): chmod 600 it`);
  return key;
}

function read(file: string): { readonly facts: Stats; readonly key: Uint8Array } {
  try {
    // A FIFO without a writer would keep us waiting for one.
    const descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const facts = fstatSync(descriptor);
      if (!facts.isFile()) throw unusable(file, 'is no file');
      if (facts.size > MAX_BYTES) throw unusable(file, `has ${facts.size} bytes; a key has at most ${MAX_BYTES}`);
      return { facts, key: readFileSync(descriptor) };
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw unusable(file, `cannot be read: ${error instanceof Error ? error.message : String(error)}`, error);
  }
}

function unusable(file: string, problem: string, cause?: unknown): UsageError {
  return new UsageError(`the state key file ${file} ${problem}; a new one is made by: (umask 077; openssl rand -out FILE 32)`, {
    cause,
  });
}

function octal(mode: number): string {
  return (mode & 0o777).toString(8).padStart(3, '0');
}
