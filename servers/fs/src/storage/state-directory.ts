import { mkdir } from 'node:fs/promises';
import path from 'node:path';

import { ToolError } from '@org/mcp-decorators';
import { makePrivateDirectory } from '@org/mcp-host';

import { errorCode } from './error-code.ts';

/** Private directory for state that survives the process. Created on first use. */
export class StateDirectory {
  readonly path: string;
  readonly #made = new Map<string, Promise<string>>();

  /** @param directory absolute */
  constructor(directory: string) {
    this.path = directory;
  }

  /** Creates a folder in the state directory if it is missing, and returns its path. */
  folder(name: string): Promise<string> {
    const known = this.#made.get(name);
    if (known !== undefined) return known;
    const made = this.#make(name);
    this.#made.set(name, made);
    made.catch(() => this.#made.delete(name));
    return made;
  }

  async #make(name: string): Promise<string> {
    const folder = path.join(this.path, name);
    try {
      await mkdir(path.dirname(this.path), { recursive: true });
      for (const directory of [this.path, folder]) await makePrivateDirectory(directory);
      return folder;
    } catch (error) {
      throw this.toToolError(error);
    }
  }

  /**
   * Converts an error to an error for a client, which must not contain the operator's path. Returns a `ToolError` unchanged.
   * After any other error, the next calls of `folder` create the folders again, because the directory may be gone.
   */
  toToolError(error: unknown): ToolError {
    if (ToolError.is(error)) return error;
    this.#made.clear();
    if (FULL.has(errorCode(error) ?? '')) {
      return new ToolError('NO_SPACE', "the server's state directory cannot be written: no space is left", {
        hint: 'nothing was changed; the operator can free space, or set another directory with --state-dir',
        cause: error,
      });
    }
    return new ToolError(
      'IO',
      `the server's state directory cannot be used: ${errorCode(error) ?? 'it must be a directory that only the user account of the server can access'}`,
      {
        hint: 'nothing was changed; try again, or ask the operator to set another directory with --state-dir',
        cause: error,
      },
    );
  }
}

const FULL: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);
