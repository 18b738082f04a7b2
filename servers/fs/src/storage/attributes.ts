import type { BigIntStats } from 'node:fs';
import path from 'node:path';

import { ToolError } from '@org/mcp-decorators';
import { quotePath, type NewFile, type OpenDirectory, type OpenFile } from '@org/mcp-roots';

import { hasNoAcl } from './acl-check.ts';
import { COPY, CopyingShell, type Answer } from './copying-shell.ts';
import { computeEtag } from './etag.ts';
import { runShell, SYSTEM_PROGRAMS } from './system-shell.ts';
import { conflict } from './target.ts';

/** Timeout of each copy in milliseconds. If the file system does not respond in this time, the write fails. */
const COPY_TIMEOUT = 10_000;

const GROUP = 0o070n;
const OTHERS = 0o007n;

/** The file that a write replaces. */
interface Original {
  readonly directory: OpenDirectory;
  readonly name: string;
  readonly facts: BigIntStats;
}

interface AttributesOptions {
  /** Directories in which `cp` and `getfacl` are looked up, separated by colons. Default: `/usr/bin:/bin`. */
  readonly programs?: string;
  /** Timeout of each copy in milliseconds. Default: 10,000. */
  readonly timeoutMs?: number;
}

/**
 * Copies ACLs and extended attributes on Linux, with `cp` of GNU coreutils. For a file with an ACL, the group bits of the mode
 * are the mask of the ACL. Without the ACL, these bits would give the group access that only some users had.
 */
export class Attributes implements AsyncDisposable {
  readonly #options: Required<AttributesOptions>;
  #shell: CopyingShell | undefined;
  #isUnable = false;

  constructor({ programs = SYSTEM_PROGRAMS, timeoutMs = COPY_TIMEOUT }: AttributesOptions = {}) {
    this.#options = { programs, timeoutMs };
  }

  /**
   * Copies the ACL and the extended attributes of the replaced file to the new file. Does nothing on systems other than Linux.
   *
   * @throws ToolError IO if the copy fails, or if no suitable `cp` exists and the file may have an ACL; CONFLICT if the replaced
   * file was removed after the check
   */
  async copy({ directory, name, facts }: Original, to: NewFile): Promise<void> {
    if (process.platform !== 'linux') return;
    await using from = await openOriginal({ directory, name, facts });
    const answer = await this.#ask(from, to);
    if (answer === 'copied') return;
    if (answer === 'failed') throw cannotPreserve(from.shown, 'the file system rejected the copy');
    if (answer === 'late') throw cannotPreserve(from.shown, 'the file system did not respond in time');
    const mayBeMask = (((facts.mode & GROUP) >> 3n) & ~(facts.mode & OTHERS)) !== 0n;
    if (mayBeMask && !(await hasNoAcl(from.descriptor, this.#options)))
      throw cannotPreserve(from.shown, 'cp of GNU coreutils is not installed', INSTALL);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#shell?.end();
  }

  async #ask(from: OpenFile, to: NewFile): Promise<Answer> {
    if (this.#isUnable) return 'unable';
    if (this.#shell === undefined || this.#shell.isGone) this.#shell = new CopyingShell(this.#options);
    const answer = await this.#shell.ask(descriptorPath(from), descriptorPath(to));
    if (answer === 'unable') this.#isUnable = true;
    // The shell cannot open the descriptors of a process with capabilities, so a child process inherits the descriptors instead.
    return answer === 'failed' ? this.#copyInherited(from, to) : answer;
  }

  async #copyInherited({ descriptor: from }: OpenFile, { descriptor: to }: NewFile): Promise<Answer> {
    const code = await runShell(`exec cp ${COPY} /proc/self/fd/3 /proc/self/fd/4`, { ...this.#options, descriptors: [from, to] });
    if (code === undefined) return 'late';
    return code === 0 ? 'copied' : 'failed';
  }
}

/** @throws ToolError CONFLICT if the file was removed after the check */
async function openOriginal({ directory, name, facts }: Original): Promise<OpenFile> {
  try {
    return await directory.openFile(name);
  } catch (error) {
    throw ToolError.is(error) && error.code === 'NOT_FOUND'
      ? conflict(path.join(directory.shown, name), computeEtag(facts), undefined)
      : error;
  }
}

function descriptorPath({ descriptor }: OpenFile | NewFile): string {
  return `/proc/${process.pid}/fd/${descriptor}`;
}

/** Remedy without a suitable `cp`: `getfacl` shows that a file has no ACL, and such a file is written without `cp`. */
const INSTALL = 'install coreutils (for a file without an ACL, the package acl suffices), or ';

function cannotPreserve(shown: string, reason: string, remedy = ''): ToolError {
  return new ToolError('IO', `the ACL and extended attributes of ${quotePath(shown)} cannot be preserved: ${reason}`, {
    hint: `nothing was changed; ${remedy}remove the attributes with setfacl -b and setfattr -x`,
  });
}
