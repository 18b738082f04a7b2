import { spawn, type ChildProcess } from 'node:child_process';
import { constants, setPriority } from 'node:os';

import type { Account } from './account.ts';

/** A program that nobody waits for. */
export interface BackgroundCommand {
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** One that ends with this process, or when the signal is aborted. */
export interface WatchedBackgroundCommand extends BackgroundCommand {
  readonly account: Account | undefined;
  readonly signal: AbortSignal;
  /** The file that it reads. */
  readonly input?: string;
}

/** Runs a program with what others leave of the processor, to its end, even if this process ends before. Throws what it said if it fails. */
export async function runInBackground({ command, env }: BackgroundCommand): Promise<void> {
  const [program = '', ...args] = command;
  await ended(spawn(program, args, { env, cwd: '/', stdio: ['ignore', 'ignore', 'pipe'], detached: true }));
}

/** The same with a program that is not to be left alone: nothing of it is there a moment after this process is gone, by whatever signal. */
export async function runWatchedInBackground(watched: WatchedBackgroundCommand): Promise<void> {
  const { command, env, account, signal, input = '/dev/null' } = watched;
  signal.throwIfAborted();
  const child = spawn('/bin/sh', ['-c', WATCHED, 'mcp-sql-background', input, ...command], {
    env,
    cwd: '/',
    stdio: ['pipe', 'ignore', 'pipe'],
    detached: true,
    ...account,
  });
  child.stdin.on('error', () => undefined);
  const end = (): void => void child.stdin.end();
  signal.addEventListener('abort', end, { once: true });
  try {
    await ended(child);
  } finally {
    signal.removeEventListener('abort', end);
  }
}

/** The pipe closes with this process. SIGTERM, as SIGINT is ignored by what a shell runs beside itself. */
const WATCHED = `
input=$1; shift
exec 3<&0
"$@" <"$input" 3<&- & child=$!
{ read -r _ <&3; kill -TERM "$child"; } 2>/dev/null & reader=$!
wait "$child"; status=$?
kill "$reader" 2>/dev/null
exit "$status"
`;

async function ended(child: ChildProcess): Promise<void> {
  if (child.pid !== undefined) yieldProcessor(child.pid);
  let words = '';
  child.stderr?.setEncoding('utf8').on('data', (said: string) => (words = (words + said).slice(-MOST_WORDS)));
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (status) => (status === 0 ? resolve() : reject(new Error(`${child.spawnfile} failed: ${words}`))));
  });
}

const MOST_WORDS = 2000;

function yieldProcessor(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It may have ended.
  }
}
