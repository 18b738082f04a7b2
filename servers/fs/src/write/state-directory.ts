import { mkdir } from 'node:fs/promises';
import path from 'node:path';

import { ToolError } from '@org/mcp-decorators';
import { makePrivateDirectory } from '@org/mcp-host';

import { errorCode } from '../error-code.ts';

/** Where the server keeps what outlives its process, for its user alone; made when it is first needed. */
export class StateDirectory {
  readonly path: string;
  readonly #made = new Map<string, Promise<string>>();

  /** @param directory absolute */
  constructor(directory: string) {
    this.path = directory;
  }

  /** The path of a folder in it, which is there then. */
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
      throw this.failure(error);
    }
  }

  /** What the file system refused of what is kept here, for a client: the path is the operator's. Somebody may have removed the directory. */
  failure(error: unknown): ToolError {
    if (ToolError.is(error)) return error;
    this.#made.clear();
    if (FULL.has(errorCode(error) ?? '')) {
      return new ToolError('NO_SPACE', 'what is needed to undo the change cannot be kept: there is no space left', {
        hint: 'nothing was changed; what is changed or removed with permanent is not kept',
        cause: error,
      });
    }
    return new ToolError(
      'IO',
      `the server's state directory cannot be used: ${errorCode(error) ?? 'it is not a directory that only the user of the server may access'}`,
      {
        hint: 'nothing was changed; try again, or the operator names a directory by --state-dir',
        cause: error,
      },
    );
  }
}

const FULL: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);
