import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { access, mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';

import { ToolError } from '@org/mcp-decorators';
import type { OpenDirectory, OpenFile } from '@org/mcp-roots';

import type { Durability } from '../options/writing-options.ts';
import type { StateDirectory } from '../write/state-directory.ts';

const CHUNK = 1_048_576;
/** Bytes that are read in some 10 ms. */
const QUICKLY_READ = 16_777_216n;

interface Named {
  readonly directory: OpenDirectory;
  readonly name: string;
}

/** Contents of files, each once, under the SHA-256 of it. */
export class Contents {
  readonly #state: StateDirectory;
  readonly #durability: Durability;

  constructor(state: StateDirectory, durability: Durability) {
    this.#state = state;
    this.#durability = durability;
  }

  /** Keeps the content of a file; resolves to its hash. */
  async keep(file: OpenFile, signal: AbortSignal): Promise<string> {
    const folder = await this.#state.folder('contents');
    const temporary = path.join(folder, `${randomUUID()}.tmp`);
    try {
      const hash = await this.#copy(file, temporary, signal);
      const kept = pathOf(folder, hash);
      await mkdir(path.dirname(kept), { recursive: true, mode: 0o700 });
      // Also in place of what is kept of it already: that may be damaged, and counts as kept now.
      await rename(temporary, kept);
      return hash;
    } catch (error) {
      throw this.#state.failure(error);
    } finally {
      await rm(temporary, { force: true });
    }
  }

  async has(hash: string): Promise<boolean> {
    return access(pathOf(await this.#state.folder('contents'), hash)).then(
      () => true,
      () => false,
    );
  }

  /** Whether it is kept; it counts as kept now then. */
  async refresh(hash: string): Promise<boolean> {
    const now = new Date();
    return utimes(pathOf(await this.#state.folder('contents'), hash), now, now).then(
      () => true,
      () => false,
    );
  }

  async *read(hash: string): AsyncGenerator<Uint8Array> {
    const stream = createReadStream(pathOf(await this.#state.folder('contents'), hash), { highWaterMark: CHUNK });
    for await (const part of stream) {
      if (part instanceof Uint8Array) yield part;
    }
  }

  /** Removes what was last kept before a moment, in milliseconds. */
  async removeBefore(moment: number): Promise<void> {
    const folder = await this.#state.folder('contents');
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      const file = path.join(entry.parentPath, entry.name);
      if (!entry.isFile()) continue;
      const facts = await stat(file).catch(() => undefined);
      if (facts !== undefined && facts.mtimeMs < moment) await rm(file, { force: true });
    }
  }

  async #copy(file: OpenFile, to: string, signal: AbortSignal): Promise<string> {
    const hash = createHash('sha256');
    await using copy = await open(to, 'wx', 0o600);
    for await (const part of partsOf(file, signal)) {
      hash.update(part);
      await copy.writeFile(part);
    }
    if (this.#durability === 'full') await copy.sync();
    return hash.digest('hex');
  }
}

/** A file's bytes as they were when it was opened, no more of them. @throws ToolError CONFLICT where they became fewer */
export async function* partsOf(file: OpenFile, signal: AbortSignal): AsyncGenerator<Buffer> {
  for (let position = 0; position < file.size;) {
    signal.throwIfAborted();
    const part = await file.readAt(position, Math.min(CHUNK, file.size - position));
    if (part.length === 0) throw new ToolError('CONFLICT', 'the file became shorter while it was read', { hint: 'try again' });
    position += part.length;
    yield part;
  }
}

/** What a link says, or the hash of a file that is quickly read; `undefined` for everything else. */
export async function contentOf({ directory, name }: Named, signal: AbortSignal): Promise<string | undefined> {
  const facts = await directory.facts(name);
  if (facts?.isSymbolicLink() === true) return directory.readLink(name);
  if (facts?.isFile() !== true || facts.size > QUICKLY_READ) return undefined;
  await using file = await directory.openFile(name);
  return await hashOf(file, signal);
}

export async function hashOf(file: OpenFile, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  for await (const part of partsOf(file, signal)) hash.update(part);
  return hash.digest('hex');
}

function pathOf(folder: string, hash: string): string {
  return path.join(folder, hash.slice(0, 2), hash);
}
