import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { access, mkdir, readdir, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';

import { ToolError } from '@org/mcp-decorators';
import type { OpenDirectory, OpenFile } from '@org/mcp-roots';

import { NewStateFile } from '../storage/new-state-file.ts';
import type { StateDirectory } from '../storage/state-directory.ts';
import type { Durability } from '../storage/write-atomically.ts';

const CHUNK = 1_048_576;
/** Maximum number of bytes of a fingerprinted file; reading a file of this size takes about 10 ms. */
const MAX_FINGERPRINTED = 16_777_216n;

export interface NamedPlace {
  readonly directory: OpenDirectory;
  readonly name: string;
}

/** Stores the contents of files under their SHA-256, each content once. */
export class ContentStore {
  readonly #state: StateDirectory;
  readonly #durability: Durability;

  constructor(state: StateDirectory, durability: Durability) {
    this.#state = state;
    this.#durability = durability;
  }

  /** Stores the content of a file from a position, and resolves to the hash of the stored content. */
  keep(file: OpenFile, signal: AbortSignal, from = 0): Promise<string> {
    return this.#store(readParts(file, signal, from));
  }

  /** Stores the parts of a content, and resolves to its hash. */
  keepParts(parts: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<string> {
    return this.#store(parts);
  }

  async #store(parts: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<string> {
    const folder = await this.#state.folder('contents');
    try {
      await using copy = await NewStateFile.create(path.join(folder, `${randomUUID()}.tmp`), this.#durability);
      const hash = createHash('sha256');
      for await (const part of parts) {
        hash.update(part);
        await copy.write(part);
      }
      const digest = hash.digest('hex');
      const kept = contentPath(folder, digest);
      await mkdir(path.dirname(kept), { recursive: true, mode: 0o700 });
      // Replaces an existing copy, which may be damaged, and resets its age.
      await copy.saveAs(kept);
      return digest;
    } catch (error) {
      throw this.#state.toToolError(error);
    }
  }

  async has(hash: string): Promise<boolean> {
    return access(contentPath(await this.#state.folder('contents'), hash)).then(
      () => true,
      () => false,
    );
  }

  /** Resets the age of a content. Returns whether the content exists. */
  async refresh(hash: string): Promise<boolean> {
    const now = new Date();
    return utimes(contentPath(await this.#state.folder('contents'), hash), now, now).then(
      () => true,
      () => false,
    );
  }

  async *read(hash: string): AsyncGenerator<Uint8Array> {
    const stream = createReadStream(contentPath(await this.#state.folder('contents'), hash), { highWaterMark: CHUNK });
    for await (const part of stream) {
      if (part instanceof Uint8Array) yield part;
    }
  }

  /** Resolves to a whole content, or to `undefined` if it is not stored. */
  async readWhole(hash: string): Promise<Buffer | undefined> {
    if (!(await this.has(hash))) return undefined;
    const parts: Uint8Array[] = [];
    for await (const part of this.read(hash)) parts.push(part);
    return Buffer.concat(parts);
  }

  /** Removes those of the given contents that were last stored or refreshed before a time, in milliseconds since the epoch. */
  async remove(hashes: Iterable<string>, time: number): Promise<void> {
    const folder = await this.#state.folder('contents');
    for (const hash of hashes) await removeUnlessNewer(contentPath(folder, hash), time);
  }

  /** Removes all contents that were last stored or refreshed before a time, in milliseconds since the epoch. */
  async removeBefore(time: number): Promise<void> {
    const folder = await this.#state.folder('contents');
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      const file = path.join(entry.parentPath, entry.name);
      if (entry.isFile()) await removeUnlessNewer(file, time);
    }
  }
}

/** A file whose bytes can be read. */
export type ReadableFile = Pick<OpenFile, 'size' | 'readAt'>;

/**
 * Yields the bytes from one position to another; by default, all bytes that the file had when it was opened.
 *
 * @throws ToolError CONFLICT if the file became shorter; the signal's reason
 */
export async function* readParts(
  file: ReadableFile,
  signal: AbortSignal,
  from = 0,
  to: number = file.size,
): AsyncGenerator<Buffer> {
  for (let position = from; position < to;) {
    signal.throwIfAborted();
    const part = await file.readAt(position, Math.min(CHUNK, to - position));
    if (part.length === 0) throw new ToolError('CONFLICT', 'the file became shorter during the read', { hint: 'try again' });
    position += part.length;
    yield part;
  }
}

/** Returns the text of a link or the hash of a file of at most 16 MiB; `undefined` for any other entry. */
export async function fingerprintContent({ directory, name }: NamedPlace, signal: AbortSignal): Promise<string | undefined> {
  const facts = await directory.facts(name);
  if (facts?.isSymbolicLink() === true) return directory.readLink(name);
  if (facts?.isFile() !== true || facts.size > MAX_FINGERPRINTED) return undefined;
  await using file = await directory.openFile(name);
  return await hashFile(file, signal);
}

export async function hashFile(file: OpenFile, signal: AbortSignal, from = 0, to: number = file.size): Promise<string> {
  const hash = createHash('sha256');
  for await (const part of readParts(file, signal, from, to)) hash.update(part);
  return hash.digest('hex');
}

function contentPath(folder: string, hash: string): string {
  return path.join(folder, hash.slice(0, 2), hash);
}

async function removeUnlessNewer(file: string, time: number): Promise<void> {
  const facts = await stat(file).catch(() => undefined);
  if (facts !== undefined && facts.mtimeMs <= time) await rm(file, { force: true });
}
