import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

import { getErrorCode } from './error-code.ts';

/** Identifies a process across machines and containers and, on Linux, even if its process number is reused. Can be stored as JSON. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Start time, as `BOOT:TICKS` on Linux; `undefined` on other platforms. */
  readonly started: string | undefined;
  /** Identifies the machine and the container of the process. */
  readonly machine: string;
}

/** Returns the identity of this process, which other processes can pass to {@link isRunning}. */
export function thisProcess(): ProcessIdentity {
  return { pid: process.pid, started: readStartTime(process.pid), machine: thisMachine() };
}

/** Whether a process still runs; `undefined` for a process of another machine or container. */
export function isRunning({ pid, started, machine }: ProcessIdentity): boolean | undefined {
  if (machine !== thisMachine()) return undefined;
  if (!processExists(pid)) return false;
  const now = readStartTime(pid);
  return started === undefined || now === undefined || started === now;
}

function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process exists and belongs to another user.
    return getErrorCode(error) === 'EPERM';
  }
}

/** Identifies this machine and container: machines differ by host name, and containers by the namespace of process numbers. */
function thisMachine(): string {
  return `${hostname()} ${tryRead(() => readlinkSync('/proc/self/ns/pid')) ?? process.platform}`;
}

function readStartTime(pid: number): string | undefined {
  const boot = tryRead(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim());
  const line = tryRead(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  // The 22nd field is the 20th after the program name, which is in parentheses and may contain any character.
  const ticks = line?.slice(line.lastIndexOf(')') + 2).split(' ')[19];
  return boot === undefined || ticks === undefined ? undefined : `${boot}:${ticks}`;
}

function tryRead(read: () => string): string | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
