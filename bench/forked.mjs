import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Runs a module as a process of its own that talks by messages. */
export function startForked(module, args = [], execArgv = []) {
  const file = fileURLToPath(module);
  const child = fork(file, args, { execArgv });
  const ended = once(child, 'exit').then(([code]) => code);
  const died = async () => {
    throw new Error(`${file} ended with ${await ended}`);
  };
  return {
    pid: child.pid,

    /** Resolves to its exit code, `null` if it was killed. */
    ended,

    send: (message) => child.send(message),

    /** Resolves to the next message that comes. Rejects if the process ends before. */
    next: () => Promise.race([once(child, 'message').then(([message]) => message), died()]),

    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
