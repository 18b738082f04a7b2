import { randomUUID } from 'node:crypto';
import { constants, type PathLike } from 'node:fs';
import { access, copyFile, link, open, rm, type FileHandle } from 'node:fs/promises';
import path from 'node:path';

import { ToolError } from '@org/mcp-decorators';
import { UsageError } from '@org/mcp-host';

import type { ExportedFile } from './exported-file.ts';

/** Maximum number of files with the same name and different numbers. */
const MAX_NUMBER = 1000;
const CHUNK = 1_048_576;
/** Only the user of the server may read an export, which can contain any data of the database. */
const MODE = 0o600;

/** The directory of `--export-dir`, to which each export is copied. Existing files are never replaced. */
export class ExportDirectory {
  readonly #path: string;

  private constructor(directory: string) {
    this.#path = directory;
  }

  /**
   * Opens a directory in which files can be created.
   *
   * Throws a `UsageError` for any other path.
   */
  static async open(directory: string): Promise<ExportDirectory> {
    try {
      // A file, too, can be writable; only a directory has an entry `.`.
      await access(path.join(path.resolve(directory), '.') + path.sep, constants.W_OK | constants.X_OK);
    } catch (error) {
      throw new UsageError(`files cannot be created in ${directory}, the directory of --export-dir: ${describe(error)}`);
    }
    return new ExportDirectory(path.resolve(directory));
  }

  /**
   * Copies a finished export under its name, or under its name with a number if that name is taken: `export-2.csv`. On a file
   * system with hard links, the file appears complete or not at all.
   *
   * @returns the path of the file
   * @throws ToolError ALREADY_EXISTS if the name is taken with every number up to 1,000; IO, NO_SPACE
   */
  async save(file: ExportedFile, signal: AbortSignal): Promise<string> {
    const partial = path.join(this.#path, `.${file.name}.${randomUUID()}.part`);
    try {
      await writePartial(partial, file, signal);
      return await this.#publish(partial, file.name);
    } catch (error) {
      throw toToolError(error, this.#path);
    } finally {
      await rm(partial, { force: true });
    }
  }

  async #publish(partial: string, name: string): Promise<string> {
    const { name: stem, ext } = path.parse(name);
    for (let number = 1; number <= MAX_NUMBER; number += 1) {
      const target = path.join(this.#path, number === 1 ? name : `${stem}-${number}${ext}`);
      if (await createFrom(partial, target)) return target;
    }
    throw new ToolError('ALREADY_EXISTS', `${MAX_NUMBER} exports with the name ${name} already exist`, {
      hint: 'choose another filename',
    });
  }
}

async function writePartial(partial: PathLike, file: ExportedFile, signal: AbortSignal): Promise<void> {
  const handle = await open(partial, 'wx', MODE);
  try {
    await copyTo(handle, file, signal);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function copyTo(handle: FileHandle, file: ExportedFile, signal: AbortSignal): Promise<void> {
  for (let position = 0; position < file.bytes;) {
    signal.throwIfAborted();
    const chunk = await file.read(position, CHUNK);
    await handle.writeFile(chunk);
    position += chunk.length;
  }
}

/** Links or copies a complete file to a name that does not exist yet. Returns `false` if the name is taken. */
async function createFrom(partial: string, target: string): Promise<boolean> {
  try {
    // A hard link makes a complete file appear at once. If the link fails, as on a file system without hard links, the file is
    // copied.
    await link(partial, target).catch((error: unknown) => {
      if (hasCode(error, 'EEXIST')) throw error;
      return copyFile(partial, target, constants.COPYFILE_EXCL);
    });
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

function toToolError(error: unknown, directory: string): unknown {
  if (!(error instanceof Error) || !('code' in error) || ToolError.is(error)) return error;
  const code = error.code === 'ENOSPC' || error.code === 'EDQUOT' ? 'NO_SPACE' : 'IO';
  return new ToolError(code, `the export cannot be saved in ${directory}: ${error.message}`, { cause: error });
}
