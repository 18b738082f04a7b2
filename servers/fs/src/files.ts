import { constants } from 'node:fs';
import { open, stat, type FileHandle } from 'node:fs/promises';

import { ToolError } from '@org/mcp-decorators';
import { refused, type Roots, spelled, type VerifiedPath } from '@org/mcp-roots';

import type { FilesystemOptions } from './filesystem-options.ts';
import type { ReadAt } from './text/window.ts';

/** How much an operation may return or look at. */
export type Limits = Readonly<Pick<FilesystemOptions, 'maxReadBytes' | 'maxEntries' | 'maxMatches' | 'maxScanned'>>;

/** A regular file that is open for reading. */
export interface OpenFile extends AsyncDisposable {
  readonly path: VerifiedPath;
  readonly readAt: ReadAt;
  /** Bytes when it was opened. */
  readonly size: number;
}

/** What operations work on: the files inside the roots. */
export class Files {
  readonly roots: Roots;
  readonly limits: Limits;

  constructor(roots: Roots, limits: Limits) {
    this.roots = roots;
    this.limits = limits;
  }

  /**
   * A directory that exists.
   *
   * @throws ToolError NOT_DIRECTORY, and those of `Roots.existing`
   */
  async directory(given: string): Promise<VerifiedPath> {
    const path = await this.roots.existing(given);
    const facts = await stat(path.real).catch((error: unknown) => Promise.reject(refused(given, error)));
    if (facts.isDirectory()) return path;
    throw new ToolError('NOT_DIRECTORY', `${spelled(given)} is not a directory`, { hint: 'read_text_file reads files' });
  }

  /**
   * Opens a regular file.
   *
   * @throws ToolError IS_DIRECTORY, NOT_REGULAR_FILE, and those of `Roots.existing`
   */
  async openForReading(given: string): Promise<OpenFile> {
    const path = await this.roots.existing(given);
    const handle = await open(path.real, READ_ONLY).catch((error: unknown) => Promise.reject(refused(given, error)));
    try {
      const facts = await handle.stat();
      if (facts.isDirectory())
        throw new ToolError('IS_DIRECTORY', `${spelled(given)} is a directory`, { hint: 'list_directory lists it' });
      if (!facts.isFile()) throw notRegular(given);
      return { path, readAt: readerOf(handle), size: facts.size, [Symbol.asyncDispose]: () => handle.close() };
    } catch (error) {
      await handle.close();
      throw error;
    }
  }
}

// O_NONBLOCK: opening a FIFO without a writer would otherwise never return. O_NOFOLLOW: the path was resolved already,
// so a link that appears in its last part now is an attack. Windows knows neither.
const READ_ONLY = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

function readerOf(handle: FileHandle): ReadAt {
  return async (position, length) => {
    const buffer = Buffer.allocUnsafe(length);
    const { bytesRead } = await handle.read(buffer, 0, length, position);
    return buffer.subarray(0, bytesRead);
  };
}

export function notRegular(given: string): ToolError {
  return new ToolError('NOT_REGULAR_FILE', `${spelled(given)} is neither a file nor a directory`);
}
