import { isRunning, thisProcess } from '@org/mcp-host';
import type { OpenDirectory } from '@org/mcp-roots';

/** What `NewFile` names its files, with the number of the process. */
const TEMPORARY = /^\.mcp-(\d+)-[\da-f-]{36}\.tmp$/;
/** Milliseconds: no write takes longer. */
const STALE = 3_600_000;
/** Entries that are looked at in one directory, and directories that are remembered. */
const MOST = 10_000;

/** Whether a name is that of a file which is being written, or was when its process ended. */
export function isTemporary(name: string): boolean {
  return TEMPORARY.test(name);
}

/** Removes what writes have left behind whose process was killed: in each directory that is written to, at most once an hour. */
export class StaleFiles {
  readonly #looked = new Map<string, number>();

  async removeIn(directory: OpenDirectory): Promise<void> {
    const key = `${directory.self.dev}:${directory.self.ino}`;
    if (Date.now() - (this.#looked.get(key) ?? 0) < STALE) return;
    if (this.#looked.size >= MOST) this.#looked.clear();
    this.#looked.set(key, Date.now());
    // A directory that cannot be read, or a file that is gone, does not keep anybody from writing.
    await removeStale(directory).catch(() => undefined);
  }
}

async function removeStale(directory: OpenDirectory): Promise<void> {
  let seen = 0;
  for await (const { name } of directory.entries()) {
    if ((seen += 1) > MOST) return;
    const pid = TEMPORARY.exec(name)?.[1];
    if (pid !== undefined && (await isStale(directory, name, Number(pid)))) await directory.unlink(name);
  }
}

async function isStale(directory: OpenDirectory, name: string, pid: number): Promise<boolean> {
  const facts = await directory.facts(name);
  if (facts?.isFile() !== true || Date.now() - Number(facts.mtimeMs) < STALE) return false;
  return isRunning({ ...thisProcess(), pid, started: undefined }) === false;
}
