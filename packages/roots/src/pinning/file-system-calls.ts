import fs, { type BigIntStats } from 'node:fs';
import { promisify } from 'node:util';

/** A value from the synchronous calls, a promise from the pooled ones. */
export type MaybePromise<Value> = Value | Promise<Value>;

/** The calls of the file system that roots use, either synchronous or in the thread pool. */
export interface FileSystemCalls {
  /** Whether all calls except `readdir` return values instead of promises. */
  readonly isSynchronous: boolean;
  readonly open: (path: string, flags: number, mode?: number) => MaybePromise<number>;
  readonly close: (descriptor: number) => MaybePromise<void>;
  readonly fstat: (descriptor: number) => MaybePromise<BigIntStats>;
  readonly fchmod: (descriptor: number, mode: number) => MaybePromise<void>;
  readonly fchown: (descriptor: number, uid: number, gid: number) => MaybePromise<void>;
  readonly fsync: (descriptor: number) => MaybePromise<void>;
  readonly ftruncate: (descriptor: number, size: number) => MaybePromise<void>;
  readonly read: (descriptor: number, buffer: Buffer, position: number) => MaybePromise<number>;
  readonly write: (descriptor: number, bytes: Uint8Array, from: number) => MaybePromise<number>;
  readonly stat: (path: string) => MaybePromise<BigIntStats>;
  readonly lstat: (path: string) => MaybePromise<BigIntStats>;
  /** Like `lstat`, but returns `undefined` if the name does not exist or cannot be examined. */
  readonly tryLstat: (path: string) => MaybePromise<BigIntStats | undefined>;
  /** Always asynchronous, because reading a large directory is slow on every disk. */
  readonly readdir: (path: string) => Promise<readonly string[]>;
  readonly readlink: (path: string) => MaybePromise<string>;
  readonly realpath: (path: string) => MaybePromise<string>;
  readonly mkdir: (path: string, mode: number) => MaybePromise<void>;
  readonly rmdir: (path: string) => MaybePromise<void>;
  readonly unlink: (path: string) => MaybePromise<void>;
  readonly link: (from: string, to: string) => MaybePromise<void>;
  readonly symlink: (target: string, path: string) => MaybePromise<void>;
  readonly rename: (from: string, to: string) => MaybePromise<void>;
  readonly lutimes: (path: string, accessed: Date, modified: Date) => MaybePromise<void>;
}

/**
 * Synchronous calls, for local file systems: a promise takes longer than ten of these calls. On a file system that does not
 * answer, these calls would block the process.
 */
export const SYNCHRONOUS_CALLS: FileSystemCalls = {
  isSynchronous: true,
  open: fs.openSync,
  close: fs.closeSync,
  fstat: (descriptor) => fs.fstatSync(descriptor, { bigint: true }),
  fchmod: fs.fchmodSync,
  fchown: fs.fchownSync,
  fsync: fs.fsyncSync,
  ftruncate: fs.ftruncateSync,
  read: (descriptor, buffer, position) => fs.readSync(descriptor, buffer, 0, buffer.length, position),
  write: (descriptor, bytes, from) => fs.writeSync(descriptor, bytes, from),
  stat: (path) => fs.statSync(path, { bigint: true }),
  lstat: (path) => fs.lstatSync(path, { bigint: true }),
  tryLstat: (path) => {
    try {
      return fs.lstatSync(path, { bigint: true, throwIfNoEntry: false });
    } catch {
      return undefined;
    }
  },
  readdir: (path) => readdir(path),
  readlink: (path) => fs.readlinkSync(path),
  realpath: (path) => fs.realpathSync.native(path),
  mkdir: (path, mode) => {
    fs.mkdirSync(path, mode);
  },
  rmdir: (path) => fs.rmdirSync(path),
  unlink: fs.unlinkSync,
  link: fs.linkSync,
  symlink: (target, path) => fs.symlinkSync(target, path),
  rename: fs.renameSync,
  lutimes: fs.lutimesSync,
};

const fstat = promisify(fs.fstat);
const stat = promisify(fs.stat);
const lstat = promisify(fs.lstat);
const read = promisify(fs.read);
const write = promisify(fs.write);
const fsync = promisify(fs.fsync);
const readdir = promisify(fs.readdir);

/** Reads, writes and flushes in the thread pool, because they may be slow on every disk. */
export const POOLED_TRANSFERS: Pick<FileSystemCalls, 'fsync' | 'read' | 'write'> = {
  fsync,
  read: readPooled,
  write: writePooled,
};

/** The thread pool of Node.js has four threads. File systems that do not answer may block at most two of them. */
const MAX_CONCURRENT = 2;

const waiting: (() => void)[] = [];
let running = 0;

/** Calls in the thread pool, for file systems that may not answer. */
export const POOLED_CALLS: FileSystemCalls = {
  isSynchronous: false,
  open: limitConcurrency(promisify(fs.open)),
  close: limitConcurrency(promisify(fs.close)),
  fstat: limitConcurrency((descriptor: number) => fstat(descriptor, { bigint: true })),
  fchmod: limitConcurrency(promisify(fs.fchmod)),
  fchown: limitConcurrency(promisify(fs.fchown)),
  fsync: limitConcurrency(fsync),
  ftruncate: limitConcurrency(promisify(fs.ftruncate)),
  read: limitConcurrency(readPooled),
  write: limitConcurrency(writePooled),
  stat: limitConcurrency((path: string) => stat(path, { bigint: true })),
  lstat: limitConcurrency((path: string) => lstat(path, { bigint: true })),
  tryLstat: limitConcurrency((path: string) => lstat(path, { bigint: true }).catch(() => undefined)),
  readdir: limitConcurrency((path: string) => readdir(path)),
  readlink: limitConcurrency((path: string) => promisify(fs.readlink)(path)),
  realpath: limitConcurrency((path: string) => promisify(fs.realpath.native)(path)),
  mkdir: limitConcurrency((path: string, mode: number) => promisify(fs.mkdir)(path, mode)),
  rmdir: limitConcurrency((path: string) => promisify(fs.rmdir)(path)),
  unlink: limitConcurrency(promisify(fs.unlink)),
  link: limitConcurrency(promisify(fs.link)),
  symlink: limitConcurrency((target: string, path: string) => promisify(fs.symlink)(target, path)),
  rename: limitConcurrency(promisify(fs.rename)),
  lutimes: limitConcurrency(promisify(fs.lutimes)),
};

async function readPooled(descriptor: number, buffer: Buffer, position: number): Promise<number> {
  const { bytesRead } = await read(descriptor, buffer, 0, buffer.length, position);
  return bytesRead;
}

async function writePooled(descriptor: number, bytes: Uint8Array, from: number): Promise<number> {
  const { bytesWritten } = await write(descriptor, bytes, from);
  return bytesWritten;
}

/** Wraps a call so that at most {@link MAX_CONCURRENT} of all wrapped calls run at a time; further calls wait in a queue. */
export function limitConcurrency<Arguments extends readonly unknown[], Value>(
  call: (...given: Arguments) => Promise<Value>,
): (...given: Arguments) => Promise<Value> {
  return async (...given) => {
    if (running < MAX_CONCURRENT) running += 1;
    else await new Promise<void>((resume) => waiting.push(resume));
    try {
      return await call(...given);
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
