import { copyFile, stat, utimes } from 'node:fs/promises';

/**
 * Copies an index with its time of modification, rounded down to a second. Git compares the content of a file that is not older
 * than the index and has an unchanged size, because such a file may have been changed within the same second. A newer copy would
 * hide that change. A missing index is not copied.
 */
export async function copyIndex(from: string, to: string): Promise<void> {
  const facts = await stat(from).catch(() => undefined);
  if (facts === undefined) return;
  await copyFile(from, to);
  const seconds = Math.floor(facts.mtimeMs / 1000);
  await utimes(to, seconds, seconds);
}
