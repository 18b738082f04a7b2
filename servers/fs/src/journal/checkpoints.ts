import { randomUUID } from 'node:crypto';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { ToolError } from '@org/mcp-decorators';

import { errorCode } from '../storage/error-code.ts';
import type { StateDirectory } from '../storage/state-directory.ts';

/** A named moment to which `rewind` can return. */
export interface Checkpoint {
  /** Sorts like the ids of changes: a change with a greater id was made later. */
  readonly id: string;
  readonly name: string;
  /** State that a companion of the rewind recorded, as a JSON value; absent without a companion. */
  readonly state?: unknown;
}

const FOLDER = 'checkpoints';
const FILE = /^([\da-z]{9}-[\da-f]{8})\.json$/;

/** Stores named moments, which all processes with the same state directory share. */
export class Checkpoints {
  readonly #state: StateDirectory;
  readonly #maxAge: number;
  readonly #maxCheckpoints: number;

  constructor(
    state: StateDirectory,
    { maxJournalAge, maxCheckpoints }: { readonly maxJournalAge: number; readonly maxCheckpoints: number },
  ) {
    this.#state = state;
    this.#maxAge = maxJournalAge;
    this.#maxCheckpoints = maxCheckpoints;
  }

  /**
   * Stores a checkpoint. Then removes expired checkpoints, and the oldest checkpoints beyond the maximum number. Resolves to the
   * number of removed checkpoints.
   */
  async add({ id, ...recorded }: Checkpoint): Promise<number> {
    const folder = await this.#folder();
    const temporary = path.join(folder, `${randomUUID()}.tmp`);
    try {
      await writeFile(temporary, JSON.stringify(recorded), { mode: 0o600, flag: 'wx' });
      await rename(temporary, path.join(folder, `${id}.json`));
    } catch (error) {
      await rm(temporary, { force: true });
      throw this.#state.toToolError(error);
    }
    return this.#removeOld();
  }

  /** Lists the checkpoints, the latest first. */
  async list(): Promise<readonly Pick<Checkpoint, 'id' | 'name'>[]> {
    const found: Pick<Checkpoint, 'id' | 'name'>[] = [];
    for (const id of (await this.#listIds()).reverse()) {
      const checkpoint = await this.#read(id);
      if (checkpoint !== undefined) found.push({ id, name: checkpoint.name });
    }
    return found;
  }

  /** Returns the latest checkpoint with this id or name. */
  async find(wanted: string): Promise<Checkpoint | undefined> {
    for (const id of (await this.#listIds()).reverse()) {
      const found = await this.#read(id);
      if (found !== undefined && (id === wanted || found.name === wanted)) return found;
    }
    return undefined;
  }

  /** Whether a checkpoint exists, so that later edits may have to be merged. */
  async exist(): Promise<boolean> {
    // The folder is not created here, because changes call this function even if no checkpoint is ever made.
    const names = await readdir(path.join(this.#state.path, FOLDER)).catch(() => []);
    return names.some((name) => FILE.test(name));
  }

  async #removeOld(): Promise<number> {
    const ids = await this.#listIds();
    const excess = ids.length - this.#maxCheckpoints;
    const expired = Date.now() - this.#maxAge;
    const old = ids.filter((id, index) => index < excess || Number.parseInt(id.slice(0, 9), 36) < expired);
    for (const id of old) await rm(path.join(await this.#folder(), `${id}.json`), { force: true });
    return old.length;
  }

  #folder(): Promise<string> {
    return this.#state.folder(FOLDER);
  }

  /** Lists the ids of all checkpoints, the oldest first. */
  async #listIds(): Promise<string[]> {
    const names = (await readdir(await this.#folder())).sort();
    return names.flatMap((name) => FILE.exec(name)?.[1] ?? []);
  }

  /** Returns `undefined` for a removed or invalid file. */
  async #read(id: string): Promise<Checkpoint | undefined> {
    try {
      const value: unknown = JSON.parse(await readFile(path.join(await this.#folder(), `${id}.json`), 'utf8'));
      const { name, state } = Object(value) as { readonly name?: unknown; readonly state?: unknown };
      return typeof name === 'string' ? { id, name, ...(state !== undefined && { state }) } : undefined;
    } catch (error) {
      if (errorCode(error) === 'ENOENT' || error instanceof SyntaxError) return undefined;
      throw error;
    }
  }
}

/** Creates the error for a text that is neither the id or name of a checkpoint nor the id of a change. */
export function checkpointNotFound(wanted: string): ToolError {
  return new ToolError('NOT_FOUND', `there is no checkpoint or change ${JSON.stringify(wanted.slice(0, 100))}`, {
    hint: 'the tool checkpoint creates a checkpoint; list_changes lists the ids of changes',
  });
}
