import { createHash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';

import { toToolError, type NewFile } from '@org/mcp-roots';

import type { Attributes } from './attributes.ts';
import type { StaleFiles } from './stale-files.ts';
import type { Target } from './target.ts';

export const DURABILITIES = ['full', 'fast'] as const;

/**
 * `full`: a completed change survives a power failure. `fast`: a completed change survives the end of the process, but possibly
 * not a power failure.
 */
export type Durability = (typeof DURABILITIES)[number];

/** Mode of a new file until it has its final permissions. */
const PRIVATE_MODE = 0o600;
/** The bits of a mode that a new file can get. Excludes the setuid and setgid bits, because the content comes from the client. */
const PERMISSIONS = 0o777;

/** All bytes, or a stream of parts. */
export type Content = Uint8Array | AsyncIterable<Uint8Array>;

/** Facts about the new file of a write, and the hash of its content. */
export interface Written {
  readonly facts: BigIntStats;
  /** SHA-256 of the content, hexadecimal. */
  readonly hash: string;
}

/** The settings of all writes of a server. */
export interface WriteSettings {
  readonly durability: Durability;
  readonly stale: StaleFiles;
  readonly attributes: Attributes;
}

interface PrepareOptions {
  /** Default: `full`. */
  readonly durability?: Durability;
  /** Permissions. Default: the permissions of the replaced file; for a new file, the permissions that the umask permits. */
  readonly mode?: number | undefined;
  /** Notes the directory first, so that the temporary file of a killed process is removed later. */
  readonly stale?: StaleFiles | undefined;
  /** Copies the ACL and the extended attributes of the replaced file. */
  readonly attributes?: Attributes | undefined;
}

export interface WriteOptions extends PrepareOptions {
  /** Called when the content is written, right before the rename. If this function throws, the original stays untouched. */
  readonly beforeSaving?: (written: Written) => Promise<void>;
}

/**
 * Replaces the content of a file. At every moment, even if the process is killed, the file has either the old or the new content.
 *
 * The content is written to a new file in the same directory, flushed unless the durability is `fast`, and renamed over the
 * target. The new file keeps the permissions and, if possible, the owner of the original, but not its setuid and setgid bits or
 * its hard links. On failure the original stays untouched and the new file is removed.
 *
 * @throws ToolError ALREADY_EXISTS if a missing target exists now; NO_SPACE, IO
 */
export async function writeAtomically(target: Target, content: Content, options: WriteOptions = {}): Promise<Written> {
  try {
    await using prepared = await prepareFile(target, content, options);
    await options.beforeSaving?.(prepared.written);
    await prepared.save();
    return prepared.written;
  } catch (error) {
    throw toToolError(target.shown, error);
  }
}

/** Does everything of {@link writeAtomically} except `beforeSaving` and the rename, which hardly needs any space on the disk. */
export async function prepareFile(target: Target, content: Content, options: PrepareOptions = {}): Promise<PreparedFile> {
  const isFull = options.durability !== 'fast';
  await options.stale?.enter(target.directory);
  const file = await target.directory.newFile(isPrivate(target, options) ? PRIVATE_MODE : undefined);
  try {
    await setPermissions(file, target, options);
    const hash = await fill(file, content);
    const written = { hash, facts: await file.facts() };
    return new PreparedFile(file, written, target, isFull);
  } catch (error) {
    await file[Symbol.asyncDispose]();
    throw error;
  }
}

/** A written file without its final name. Disposal removes it unless it was saved. */
export class PreparedFile implements AsyncDisposable {
  readonly written: Written;
  readonly #file: NewFile;
  readonly #target: Target;
  readonly #isFull: boolean;
  /** Resolves when the file is flushed. The flush runs while the journal records the change. */
  readonly #flushed: Promise<void>;

  constructor(file: NewFile, written: Written, target: Target, isFull: boolean) {
    this.written = written;
    this.#file = file;
    this.#target = target;
    this.#isFull = isFull;
    this.#flushed = isFull ? file.flush() : Promise.resolve();
    // `save` reports a failure of the flush.
    this.#flushed.catch(() => undefined);
  }

  /** Waits for the flush, then renames the file to the name of the target. */
  async save(): Promise<void> {
    await this.#flushed;
    const { directory, name, facts } = this.#target;
    await (facts === undefined ? this.#file.saveAsNew(name) : this.#file.saveAs(name));
    // The new content is in place. An unreadable directory cannot be flushed, which is not an error.
    if (this.#isFull) await directory.flush().catch(() => undefined);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#flushed.catch(() => undefined);
    await this.#file[Symbol.asyncDispose]();
  }
}

/** Returns whether the new file must be private until it has its final permissions. */
function isPrivate({ facts }: Target, { mode }: PrepareOptions): boolean {
  return facts !== undefined || mode !== undefined;
}

/** Sets owner, attributes and mode before the content is written. The kernel drops copied capabilities at the first write. */
async function setPermissions(file: NewFile, { directory, name, facts }: Target, options: PrepareOptions): Promise<void> {
  const { mode, attributes } = options;
  if (facts !== undefined) {
    await keepOwner(file, facts);
    await attributes?.copy({ directory, name, facts }, file);
  }
  const wanted = mode ?? facts?.mode;
  if (wanted !== undefined) await file.setMode(Number(wanted) & PERMISSIONS);
}

async function fill(file: NewFile, content: Content): Promise<string> {
  const hash = createHash('sha256');
  for await (const part of content instanceof Uint8Array ? [content] : content) {
    hash.update(part);
    await file.write(part);
  }
  return hash.digest('hex');
}

/** Keeps the owner and group if possible. Only root can set the owner; any other user becomes the owner of the new file. */
async function keepOwner(file: NewFile, { uid, gid }: BigIntStats): Promise<void> {
  const own = await file.facts();
  if (own.uid !== uid || own.gid !== gid) await file.setOwner(Number(uid), Number(gid)).catch(() => undefined);
}
