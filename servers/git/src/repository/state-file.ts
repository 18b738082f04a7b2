import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import path from 'node:path';

/** Follows no link and waits for no writer. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** As large as one line that git keeps about what it is doing. */
const LINE = 4096;

/**
 * The beginning of a regular file below a directory, reached without any link.
 *
 * @param directory a real path
 * @returns `undefined` where there is no such file
 */
export async function readBelow(directory: string, name: string | Buffer, maxBytes: number): Promise<Buffer | undefined> {
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

/** The first line of such a file; empty where there is none. */
export async function readLineBelow(directory: string, name: string): Promise<string> {
  const [line = ''] = (await readBelow(directory, name, LINE))?.toString('utf8').split('\n') ?? [];
  return line.trim();
}

/** A regular file, wherever a link leads; empty where there is none. Whatever else is there is not waited for. */
export async function readRegular(file: string): Promise<Buffer> {
  try {
    await using handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    return (await handle.stat()).isFile() ? await handle.readFile() : Buffer.alloc(0);
  } catch {
    return Buffer.alloc(0);
  }
}
