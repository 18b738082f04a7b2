import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Runs a module in a separate process that communicates by messages. */
export function startForked(module, args = [], execArgv = []) {
  const file = fileURLToPath(module);
  const child = fork(file, args, { execArgv });
  const ended = once(child, 'exit').then(([code]) => code);
  const died = async () => {
    throw new Error(`${file} ended with ${await ended}`);
  };
  return {
    pid: child.pid,

    /** Resolves to the exit code of the process; `null` if it was killed. */
    ended,

    send: (message) => child.send(message),

    /** Resolves to the next message. Rejects if the process ends first. */
    next: () => Promise.race([once(child, 'message').then(([message]) => message), died()]),

    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
