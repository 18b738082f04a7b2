import { spawn, type ChildProcess } from 'node:child_process';
import { constants, setPriority } from 'node:os';

import type { Account } from './account.ts';

/** The command line and environment of a program that runs at low priority. */
export interface BackgroundCommand {
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** The command line of a program that ends with this process, or when `signal` is aborted. */
export interface WatchedBackgroundCommand extends BackgroundCommand {
  readonly account: Account | undefined;
  readonly signal: AbortSignal;
  /** File that becomes the program's standard input. Default: `/dev/null`. */
  readonly input?: string;
}

/** Runs a program at low priority. The program continues if this process ends. Rejects with the program's stderr if the program fails. */
export async function runInBackground({ command, env }: BackgroundCommand): Promise<void> {
  const [program = '', ...args] = command;
  await ended(spawn(program, args, { env, cwd: '/', stdio: ['ignore', 'ignore', 'pipe'], detached: true }));
}

/**
 * Runs a program at low priority. Terminates the program when `signal` is aborted, or shortly after this process ends, even by
 * SIGKILL.
 */
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

/**
 * Script that runs a program, and terminates the program when the pipe on the script's standard input closes: when this process
 * ends, or on abort. The script sends SIGTERM, because a shell's background commands ignore SIGINT.
 */
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
  let output = '';
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (output = (output + chunk).slice(-MAX_OUTPUT)));
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (status) => (status === 0 ? resolve() : reject(new Error(`${child.spawnfile} failed: ${output}`))));
  });
}

const MAX_OUTPUT = 2000;

function yieldProcessor(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // The program may have ended already.
  }
}
