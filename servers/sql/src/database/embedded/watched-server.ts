import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

import type { Account } from './account.ts';

/** Made in the directory of a run once its server is to end: whoever is about to start one does not. */
export const ENDED = 'server/ended';

/**
 * Starts the server and blocks on a pipe from us. When the pipe closes, be it by SIGKILL of our process, the server is stopped and
 * the directory removed; where it is root's, what the server's account may remove of it. A server that is only just starting does
 * not handle a signal yet, so it is sent again. A backend that does not check for interrupts would delay the shutdown. Therefore
 * the script requests an immediate shutdown after 10 s, after which the next start runs crash recovery. A signal to all processes of a
 * service reaches the script, too; it ignores the signal, because our process ends the server, and so does the pipe. What it runs
 * beside itself ignores the signal as well, apart from the server, which has a handler.
 */
const WATCHDOG = `
trap '' TERM INT HUP
directory=$1; shift
exec 3<&0
"$@" </dev/null 3<&- & server=$!
end() { for _ in 1 2 3 4 5 6 7 8 9 10; do kill -INT "$server" || return; sleep 1; done; while kill -QUIT "$server"; do sleep 1; done; }
{ read -r _ <&3; echo >"$directory/${ENDED}"; end; } 2>/dev/null & reader=$!
wait "$server"; status=$?
kill -KILL "$reader" 2>/dev/null
rm -rf "$directory/server" "$directory" 2>/dev/null
exit "$status"
`;

const READY = 'database system is ready to accept connections';

/** How the server is started. */
export interface WatchedCommand {
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly account: Account | undefined;
  /** Removed after the server ended. */
  readonly temporary: string;
}

/** A running server that ends with this process, whatever ends it. */
export class WatchedServer {
  readonly #watchdog: ChildProcess;
  readonly #exited: Promise<unknown>;

  /** Resolves when the server accepts connections; rejects with its last words if it ends before that. */
  readonly ready: Promise<void>;

  private constructor(watchdog: ChildProcess, stderr: Readable) {
    this.#watchdog = watchdog;
    this.#exited = once(watchdog, 'exit').catch(() => undefined);
    // It may have ended by itself.
    watchdog.stdin?.on('error', () => undefined);
    this.ready = ready(stderr);
    this.ready.catch(() => undefined);
  }

  static spawn({ command, env, account, temporary }: WatchedCommand): WatchedServer {
    const watchdog = spawn('/bin/sh', ['-c', WATCHDOG, 'mcp-sql-watchdog', temporary, ...command], {
      stdio: ['pipe', 'ignore', 'pipe'],
      env,
      cwd: '/',
      // A session of its own: Ctrl-C in a terminal is for us, who then end the server in order.
      detached: true,
      ...account,
    });
    return new WatchedServer(watchdog, watchdog.stderr);
  }

  async stop(): Promise<void> {
    this.#watchdog.stdin?.end();
    await this.#exited;
  }
}

function ready(stderr: Readable): Promise<void> {
  return new Promise((resolve, reject) => {
    let words = 'it ended without a word';
    const lines = createInterface({ input: stderr });
    lines.on('line', (line) => {
      if (line.includes(READY)) resolve();
      if (/\b(FATAL|HINT|PANIC|error)\b/.test(line)) words = line;
    });
    lines.once('close', () => reject(new Error(words)));
  });
}
