import fs, { type BigIntStats } from 'node:fs';
import { promisify } from 'node:util';

import { inTurn } from './in-turn.ts';

/** At once where it was got at once. */
export type Answer<Value> = Value | Promise<Value>;

/** The calls of the file system that roots are built on: at once, or in the background. */
export interface Calls {
  /** Every answer is there at once. */
  readonly isDirect: boolean;
  readonly open: (path: string, flags: number, mode?: number) => Answer<number>;
  readonly close: (descriptor: number) => Answer<void>;
  readonly fstat: (descriptor: number) => Answer<BigIntStats>;
  readonly fchmod: (descriptor: number, mode: number) => Answer<void>;
  readonly fchown: (descriptor: number, uid: number, gid: number) => Answer<void>;
  readonly fsync: (descriptor: number) => Answer<void>;
  readonly read: (descriptor: number, buffer: Buffer, position: number) => Answer<number>;
  readonly write: (descriptor: number, bytes: Uint8Array, from: number) => Answer<number>;
  readonly stat: (path: string) => Answer<BigIntStats>;
  readonly lstat: (path: string) => Answer<BigIntStats>;
  /** Like `lstat`, but returns `undefined` if the name does not exist or cannot be examined. */
  readonly find: (path: string) => Answer<BigIntStats | undefined>;
  /** Always asynchronous, because reading a large directory is slow on every disk. */
  readonly readdir: (path: string) => Promise<readonly string[]>;
  readonly readlink: (path: string) => Answer<string>;
  readonly realpath: (path: string) => Answer<string>;
  readonly mkdir: (path: string, mode: number) => Answer<void>;
  readonly rmdir: (path: string) => Answer<void>;
  readonly unlink: (path: string) => Answer<void>;
  readonly link: (from: string, to: string) => Answer<void>;
  readonly symlink: (target: string, path: string) => Answer<void>;
  readonly rename: (from: string, to: string) => Answer<void>;
  readonly lutimes: (path: string, accessed: Date, modified: Date) => Answer<void>;
}

/** A promise costs more than ten of these, but a disk that does not answer holds the process: for local file systems. */
export const DIRECT: Calls = {
  isDirect: true,
  open: fs.openSync,
  close: fs.closeSync,
  fstat: (descriptor) => fs.fstatSync(descriptor, { bigint: true }),
  fchmod: fs.fchmodSync,
  fchown: fs.fchownSync,
  fsync: fs.fsyncSync,
  read: (descriptor, buffer, position) => fs.readSync(descriptor, buffer, 0, buffer.length, position),
  write: (descriptor, bytes, from) => fs.writeSync(descriptor, bytes, from),
  stat: (path) => fs.statSync(path, { bigint: true }),
  lstat: (path) => fs.lstatSync(path, { bigint: true }),
  find: (path) => {
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

/** Much of it takes long on every disk, so it is done in the background. */
export const TRANSFERS: Pick<Calls, 'fsync' | 'read' | 'write'> = { fsync, read: readInBackground, write: writeInBackground };

/** In the background, for file systems that may not answer. */
export const POOLED: Calls = {
  isDirect: false,
  open: inTurn(promisify(fs.open)),
  close: inTurn(promisify(fs.close)),
  fstat: inTurn((descriptor: number) => fstat(descriptor, { bigint: true })),
  fchmod: inTurn(promisify(fs.fchmod)),
  fchown: inTurn(promisify(fs.fchown)),
  fsync: inTurn(fsync),
  read: inTurn(readInBackground),
  write: inTurn(writeInBackground),
  stat: inTurn((path: string) => stat(path, { bigint: true })),
  lstat: inTurn((path: string) => lstat(path, { bigint: true })),
  find: inTurn((path: string) => lstat(path, { bigint: true }).catch(() => undefined)),
  readdir: inTurn((path: string) => readdir(path)),
  readlink: inTurn((path: string) => promisify(fs.readlink)(path)),
  realpath: inTurn((path: string) => promisify(fs.realpath.native)(path)),
  mkdir: inTurn((path: string, mode: number) => promisify(fs.mkdir)(path, mode)),
  rmdir: inTurn((path: string) => promisify(fs.rmdir)(path)),
  unlink: inTurn(promisify(fs.unlink)),
  link: inTurn(promisify(fs.link)),
  symlink: inTurn((target: string, path: string) => promisify(fs.symlink)(target, path)),
  rename: inTurn(promisify(fs.rename)),
  lutimes: inTurn(promisify(fs.lutimes)),
};

async function readInBackground(descriptor: number, buffer: Buffer, position: number): Promise<number> {
  const { bytesRead } = await read(descriptor, buffer, 0, buffer.length, position);
  return bytesRead;
}

async function writeInBackground(descriptor: number, bytes: Uint8Array, from: number): Promise<number> {
  const { bytesWritten } = await write(descriptor, bytes, from);
  return bytesWritten;
}
