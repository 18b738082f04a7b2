import { readdir, readFile, readlink } from 'node:fs/promises';

/** Processes that work in a directory, by `/proc`; on other systems none is seen. */
export async function processesIn(directory: string): Promise<readonly string[]> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  const commands = await Promise.all(
    pids.map(async (pid) => {
      const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => '');
      return cwd === directory ? await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '') : '';
    }),
  );
  // A zombie has an empty command line.
  return commands.filter((command) => command !== '').map((command) => command.replaceAll('\0', ' '));
}

/** Polls until a condition holds; fails after so many milliseconds. */
export async function until(condition: () => Promise<boolean>, milliseconds: number, what: string): Promise<void> {
  const end = performance.now() + milliseconds;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`${what}: not within ${milliseconds} ms`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
