import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import type { BigIntStats } from 'node:fs';
import { Socket } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';

import { ToolError } from '@org/mcp-decorators';
import { spelled, type NewFile, type OpenDirectory, type OpenFile } from '@org/mcp-roots';

import { etagOf } from '../etag.ts';
import { conflict } from './unchanged.ts';

const COPY = ['--attributes-only', '--preserve=mode,xattr', '--'] as const;

/**
 * Reads two paths from each line, copies the attributes and reports the result. Node.js has no functions for extended attributes. A
 * persistent shell forks instead of the server, which a fork blocks for up to 16 ms (measured with 100 MB on a busy machine).
 */
const SHELL = `
case "$(cp --help 2>/dev/null)" in *--attributes-only*) ;; *) exit 0 ;; esac
while read -r from to; do
  if cp ${COPY.join(' ')} "$from" "$to" 2>/dev/null; then echo kept; else echo failed; fi
done`;

/** The PATH of the server is not used: npm and npx put `node_modules/.bin` first, which may be inside the roots. */
const ENVIRONMENT = { PATH: '/usr/bin:/bin', LC_ALL: 'C' } as const;

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

type Answer = 'kept' | 'failed' | 'unable';

/**
 * Copies ACLs and extended attributes on Linux, with `cp` of GNU coreutils. For a file with an ACL, the group bits of the mode are
 * the mask of the ACL. Without the ACL, these bits would give the group access that only some users had.
 */
export class Attributes implements AsyncDisposable {
  #shell: Shell | undefined;
  #isUnable = false;

  /**
   * @throws ToolError IO if the copy fails, or if there is no suitable `cp` and the mode may contain the mask of an ACL; CONFLICT
   */
  async copy({ directory, name, facts }: Original, to: NewFile): Promise<void> {
    if (process.platform !== 'linux') return;
    await using from = await openOriginal({ directory, name, facts });
    const answer = await this.#ask(from, to);
    if (answer === 'kept') return;
    if (answer === 'failed') throw lost(from.shown, 'the file system refused it');
    if ((((facts.mode & GROUP) >> 3n) & ~(facts.mode & OTHERS)) !== 0n) throw lost(from.shown, 'there is no cp of GNU coreutils');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#shell?.end();
  }

  async #ask(from: OpenFile, to: NewFile): Promise<Answer> {
    if (this.#isUnable) return 'unable';
    if (this.#shell === undefined || this.#shell.isGone) this.#shell = new Shell();
    const answer = await this.#shell.ask(`${pathOf(from)} ${pathOf(to)}`);
    if (answer === 'unable') this.#isUnable = true;
    // The shell cannot open the descriptors of a process with capabilities. A child process that inherits them can.
    return answer === 'failed' ? copyInherited(from, to) : answer;
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

async function copyInherited(from: OpenFile, to: NewFile): Promise<Answer> {
  const stdio = ['ignore', 'ignore', 'ignore', from.descriptor, to.descriptor] as const;
  const copying = spawn('/bin/sh', ['-c', `exec cp ${COPY.join(' ')} /proc/self/fd/3 /proc/self/fd/4`], {
    cwd: '/',
    env: ENVIRONMENT,
    stdio: [...stdio],
    timeout: PATIENCE,
  });
  const [code]: unknown[] = await once(copying, 'close');
  return code === 0 ? 'kept' : 'failed';
}

/** Persistent shell that answers requests in FIFO order. */
class Shell {
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #waiting: ((answer: Answer) => void)[] = [];
  #hasAnswered = false;
  isGone = false;

  constructor() {
    this.#process = spawn('/bin/sh', ['-c', SHELL], { cwd: '/', env: ENVIRONMENT, stdio: 'pipe' });
    const { stdin, stdout, stderr } = this.#process;
    for (const stream of [stdin, stdout, stderr]) if (stream instanceof Socket) stream.unref();
    this.#process.unref();
    stderr.resume();
    createInterface(stdout).on('line', (line) => this.#answer(line === 'kept' ? 'kept' : 'failed'));
    for (const event of ['error', 'close'] as const) this.#process.on(event, () => this.#end());
    stdin.on('error', () => this.#end());
  }

  async ask(line: string): Promise<Answer> {
    const answer = new Promise<Answer>((resolve) => this.#waiting.push(resolve));
    const timer = setTimeout(() => {
      this.#hasAnswered = true;
      this.#process.kill('SIGKILL');
    }, PATIENCE);
    this.#process.stdin.write(`${line}\n`);
    try {
      return await answer;
    } finally {
      clearTimeout(timer);
    }
  }

  async end(): Promise<void> {
    if (this.isGone) return;
    const closed = once(this.#process, 'close');
    this.#process.ref();
    this.#process.stdin.end();
    await closed;
  }

  #answer(answer: Answer): void {
    this.#hasAnswered = true;
    this.#waiting.shift()?.(answer);
  }

  /** A shell that ends without any answer has found no suitable `cp`. */
  #end(): void {
    this.isGone = true;
    for (const resolve of this.#waiting.splice(0)) resolve(this.#hasAnswered ? 'failed' : 'unable');
  }
}

function lost(shown: string, reason: string): ToolError {
  return new ToolError('IO', `the ACL and extended attributes of ${spelled(shown)} cannot be kept: ${reason}`, {
    hint: 'nothing was changed; install coreutils, or remove the attributes with setfacl -b and setfattr -x',
  });
}
