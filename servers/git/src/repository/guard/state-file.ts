import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import path from 'node:path';

/** Flags to open a file without following a link and without waiting for the writer of a pipe. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Maximum number of bytes that are read for the first line of a state file of git. */
const MAX_LINE = 4096;

/**
 * Reads the beginning of a regular file below a directory. No part of the path may be a link.
 *
 * @param directory a real path
 * @returns `undefined` if no such file exists, or if the file cannot be read
 */
export async function readFileBelow(directory: string, name: string | Buffer, maxBytes: number): Promise<Buffer | undefined> {
  const file = Buffer.concat([Buffer.from(directory + path.sep), Buffer.from(name)]);
  try {
    if (!(await realpath(file, { encoding: 'buffer' })).equals(file)) return undefined;
    await using handle = await open(file, FLAGS);
    const facts = await handle.stat();
    if (!facts.isFile()) return undefined;
    const length = Math.min(facts.size, maxBytes);
    if (length === 0) return Buffer.alloc(0);
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(length), length, position: 0 });
    return buffer.subarray(0, bytesRead);
  } catch {
    return undefined;
  }
}

/** Reads the first line of a file below a directory, without surrounding space. Returns an empty string if no such file exists. */
export async function readLineBelow(directory: string, name: string): Promise<string> {
  const [line = ''] = (await readFileBelow(directory, name, MAX_LINE))?.toString('utf8').split('\n') ?? [];
  return line.trim();
}

/** Reads a regular file and follows links. Returns an empty buffer for a missing or unreadable file, a pipe or a device. */
export async function readRegularFile(file: string): Promise<Buffer> {
  try {
    await using handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    return (await handle.stat()).isFile() ? await handle.readFile() : Buffer.alloc(0);
  } catch {
    return Buffer.alloc(0);
  }
}
