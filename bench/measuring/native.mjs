import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';

/**
 * Returns the milliseconds from the start of a program to its end. All output is read from a pipe; `input` is written
 * to another pipe.
 */
export async function timeOf([command, ...args], { cwd, input } = {}) {
  const started = performance.now();
  const child = spawn(command, args, { cwd, stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'ignore'] });
  child.stdin?.end(input);
  const failed = once(child, 'error').then(([error]) => {
    throw error;
  });
  child.stdout.resume();
  const [code] = await Promise.race([once(child, 'close'), failed]);
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}`);
  return performance.now() - started;
}

/** Returns the first line of the output of `--version`, or `undefined` if the program is not installed. */
export function versionOf(command) {
  const { status, stdout } = spawnSync(command, ['--version'], { encoding: 'utf8' });
  return status === 0 ? stdout.split('\n')[0] : undefined;
}
