import type { BigIntStats } from 'node:fs';
import path from 'node:path';

import { ToolError } from '@org/mcp-decorators';
import { spelled, type NewFile, type OpenDirectory, type OpenFile } from '@org/mcp-roots';

import { etagOf } from '../etag.ts';
import { hasNoAcl } from './acl-check.ts';
import { COPY, CopyingShell, type Answer } from './copying-shell.ts';
import { runShell, SYSTEM_PROGRAMS } from './system-shell.ts';
import { conflict } from './unchanged.ts';

/** Timeout in milliseconds. If the file system does not respond, the write fails. */
const PATIENCE = 10_000;

const GROUP = 0o070n;
const OTHERS = 0o007n;

/** The file that a write replaces. */
interface Original {
  readonly directory: OpenDirectory;
  readonly name: string;
  readonly facts: BigIntStats;
}

interface AttributesOptions {
  /** Directories in which `cp` and `getfacl` are looked up, with a colon between them. Default: `/usr/bin:/bin`. */
  readonly programs?: string;
  /** Time for each copy. Default: 10 seconds. */
  readonly patienceMs?: number;
}

/**
 * Copies ACLs and extended attributes on Linux, with `cp` of GNU coreutils. For a file with an ACL, the group bits of the mode are
 * the mask of the ACL. Without the ACL, these bits would give the group access that only some users had.
 */
export class Attributes implements AsyncDisposable {
  readonly #options: Required<AttributesOptions>;
  #shell: CopyingShell | undefined;
  #isUnable = false;

  constructor({ programs = SYSTEM_PROGRAMS, patienceMs = PATIENCE }: AttributesOptions = {}) {
    this.#options = { programs, patienceMs };
  }

  /**
   * @throws ToolError IO if the copy fails, or if there is no suitable `cp` and the file may have an ACL; CONFLICT
   */
  async copy({ directory, name, facts }: Original, to: NewFile): Promise<void> {
    if (process.platform !== 'linux') return;
    await using from = await openOriginal({ directory, name, facts });
    const answer = await this.#ask(from, to);
    if (answer === 'kept') return;
    if (answer === 'failed') throw lost(from.shown, 'the file system refused it');
    if (answer === 'late') throw lost(from.shown, 'the file system did not respond in time');
    const mayBeMask = (((facts.mode & GROUP) >> 3n) & ~(facts.mode & OTHERS)) !== 0n;
    if (mayBeMask && !(await hasNoAcl(from.descriptor, this.#options))) throw lost(from.shown, 'there is no cp of GNU coreutils');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#shell?.end();
  }

  async #ask(from: OpenFile, to: NewFile): Promise<Answer> {
    if (this.#isUnable) return 'unable';
    if (this.#shell === undefined || this.#shell.isGone) this.#shell = new CopyingShell(this.#options);
    const answer = await this.#shell.ask(pathOf(from), pathOf(to));
    if (answer === 'unable') this.#isUnable = true;
    // The shell cannot open the descriptors of a process with capabilities. A child process that inherits them can.
    return answer === 'failed' ? this.#copyInherited(from, to) : answer;
  }

  async #copyInherited({ descriptor: from }: OpenFile, { descriptor: to }: NewFile): Promise<Answer> {
    const code = await runShell(`exec cp ${COPY} /proc/self/fd/3 /proc/self/fd/4`, { ...this.#options, descriptors: [from, to] });
    if (code === undefined) return 'late';
    return code === 0 ? 'kept' : 'failed';
  }
}

/** @throws ToolError CONFLICT if the file was removed in the meantime */
async function openOriginal({ directory, name, facts }: Original): Promise<OpenFile> {
  try {
    return await directory.openFile(name);
  } catch (error) {
    throw ToolError.is(error) && error.code === 'NOT_FOUND'
      ? conflict(path.join(directory.shown, name), etagOf(facts), undefined)
      : error;
  }
}

function pathOf({ descriptor }: OpenFile | NewFile): string {
  return `/proc/${process.pid}/fd/${descriptor}`;
}

function lost(shown: string, reason: string): ToolError {
  return new ToolError('IO', `the ACL and extended attributes of ${spelled(shown)} cannot be kept: ${reason}`, {
    hint: 'nothing was changed; install coreutils, or acl for files without an ACL, or remove the attributes with setfacl -b and setfattr -x',
  });
}
