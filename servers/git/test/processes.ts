import { readdir, readFile, readlink } from 'node:fs/promises';

/** How long git may go on once nobody waits for it. A second is what is promised of a machine that has the time (`MCP_TEST_GONE_MS=1000`). */
export const GONE_MS: number = Number(process.env['MCP_TEST_GONE_MS'] ?? 10_000);

/** Processes that work in a directory, by `/proc`; on other systems none is seen. */
export async function processesIn(directory: string): Promise<readonly string[]> {
  return (await foundIn(directory)).map(({ command }) => command);
}

/** The same, by their numbers. */
export async function pidsIn(directory: string): Promise<readonly number[]> {
  return (await foundIn(directory)).map(({ pid }) => pid);
}

async function foundIn(directory: string): Promise<readonly { readonly pid: number; readonly command: string }[]> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async (pid) => {
      const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => '');
      const command = cwd === directory ? await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '') : '';
      return { pid: Number(pid), command: command.replaceAll('\0', ' ') };
    }),
  );
  // A zombie has an empty command line.
  return found.filter(({ command }) => command !== '');
}

/** Polls until a condition holds; fails after so many milliseconds. */
export async function until(condition: () => Promise<boolean>, milliseconds: number, what: string): Promise<void> {
  const end = performance.now() + milliseconds;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`${what}: not within ${milliseconds} ms`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
