import { createHash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';

import { refused, type NewFile, type Place } from '@org/mcp-roots';

import type { Durability } from '../options/writing-options.ts';
import type { Attributes } from './attributes.ts';
import type { StaleFiles } from './stale-files.ts';

/** Until a file has its permissions. */
const PRIVATE_MODE = 0o600;
/** Not the setuid and setgid bits: the content is the client's. */
const PERMISSIONS = 0o777;

/** Bytes, at once or in parts. */
export type Content = Uint8Array | AsyncIterable<Uint8Array>;

/** Where content goes, and what was there when it was looked at. */
export type Target = Pick<Place, 'directory' | 'name' | 'shown' | 'facts'>;

/** What was written, before it has its name. */
export interface Written {
  readonly facts: BigIntStats;
  /** SHA-256 of the content, in hexadecimal digits. */
  readonly hash: string;
}

interface PrepareOptions {
  /** Default: `full`. */
  readonly durability?: Durability;
  /** Permissions. Default: those of the file that is replaced, and of a new one what the process's umask leaves. */
  readonly mode?: number | undefined;
  /** Told of the directory first, so that what a killed process leaves there goes. */
  readonly stale?: StaleFiles | undefined;
  /** Copies the ACL and the extended attributes of the file that is replaced. */
  readonly attributes?: Attributes | undefined;
}

export interface WriteOptions extends PrepareOptions {
  /** Called when all is written, right before it takes the place of what was there; what it throws leaves that untouched. */
  readonly beforeSaving?: (written: Written) => Promise<void>;
}

/**
 * Replaces a file's content so that it is, at every moment and after a crash, the old or the new one.
 *
 * The content goes to a new file in the same directory, is flushed and renamed over the target; the owner and permissions of
 * an existing file are kept, its setuid and setgid bits and its hard links are not. On any failure the original is untouched and the new file removed.
 *
 * @throws ToolError ALREADY_EXISTS if nothing was there and now is; NO_SPACE, IO
 */
export async function writeAtomically(target: Target, content: Content, options: WriteOptions = {}): Promise<Written> {
  try {
    await using prepared = await prepareFile(target, content, options);
    await options.beforeSaving?.(prepared.written);
    await prepared.save();
    return prepared.written;
  } catch (error) {
    throw refused(target.shown, error);
  }
}

/** The first half of {@link writeAtomically}: all of it but the last step, which cannot fail for want of space. */
export async function prepareFile(target: Target, content: Content, options: PrepareOptions = {}): Promise<PreparedFile> {
  const isFull = options.durability !== 'fast';
  await options.stale?.enter(target.directory);
  const file = await target.directory.newFile(isPrivate(target, options) ? PRIVATE_MODE : undefined);
  try {
    await setPermissions(file, target, options);
    const hash = await fill(file, content);
    if (isFull) await file.flush();
    return new PreparedFile(file, { hash, facts: await file.facts() }, target, isFull);
  } catch (error) {
    await file[Symbol.asyncDispose]();
    throw error;
  }
}

/** Content that is written and has not its name yet; what is not saved is removed. */
export class PreparedFile implements AsyncDisposable {
  readonly written: Written;
  readonly #file: NewFile;
  readonly #target: Target;
  readonly #isFull: boolean;

  constructor(file: NewFile, written: Written, target: Target, isFull: boolean) {
    this.written = written;
    this.#file = file;
    this.#target = target;
    this.#isFull = isFull;
  }

  /** Takes the place of what is there. */
  async save(): Promise<void> {
    const { directory, name, facts } = this.#target;
    await (facts === undefined ? this.#file.saveAsNew(name) : this.#file.saveAs(name));
    // The new content stands; a directory that may be written but not read cannot be flushed, and that undoes nothing.
    if (this.#isFull) await directory.flush().catch(() => undefined);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#file[Symbol.asyncDispose]();
  }
}

/** Whether nobody else may look into the file before it has its permissions. */
function isPrivate({ facts }: Target, { mode }: PrepareOptions): boolean {
  return facts !== undefined || mode !== undefined;
}

/** Runs before the content is written, so that the kernel drops copied capabilities when the new content is written. */
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

/** Only root may give files away; everybody else's become their own, as with any program that replaces files. */
async function keepOwner(file: NewFile, { uid, gid }: BigIntStats): Promise<void> {
  const own = await file.facts();
  if (own.uid !== uid || own.gid !== gid) await file.setOwner(Number(uid), Number(gid)).catch(() => undefined);
}
