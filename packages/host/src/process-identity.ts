import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** A process, told from those that get its number later and from those of other machines; plain JSON. */
export interface ProcessIdentity {
  readonly pid: number;
  /** When it was started, where the platform says: `BOOT:TICKS` on Linux. */
  readonly started: string | undefined;
  /** On which machine, and in which container. */
  readonly machine: string;
}

/** This process, for others to ask about by {@link isRunning}. */
export function thisProcess(): ProcessIdentity {
  return { pid: process.pid, started: startOf(process.pid), machine: thisMachine() };
}

/** Whether a process still runs; `undefined` for one of another machine or container, of which nobody here can tell. */
export function isRunning({ pid, started, machine }: ProcessIdentity): boolean | undefined {
  if (machine !== thisMachine()) return undefined;
  if (!isThere(pid)) return false;
  const now = startOf(pid);
  return started === undefined || now === undefined || started === now;
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It is there, and another user's.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Processes of one machine share a host name, and those of one container the numbers. */
function thisMachine(): string {
  return `${hostname()} ${attempt(() => readlinkSync('/proc/self/ns/pid')) ?? process.platform}`;
}

function startOf(pid: number): string | undefined {
  const boot = attempt(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim());
  const line = attempt(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  // The name of the program stands in parentheses and may hold anything; the 22nd field is the 20th after it.
  const ticks = line?.slice(line.lastIndexOf(')') + 2).split(' ')[19];
  return boot === undefined || ticks === undefined ? undefined : `${boot}:${ticks}`;
}

function attempt(read: () => string): string | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
