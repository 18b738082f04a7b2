import { chown } from 'node:fs/promises';

const NOBODY = 65_534;
const BECOME = `data:text/javascript,process.setgroups([]);process.setgid(${NOBODY});process.setuid(${NOBODY})`;

/** What Node is started with for a process that permissions bind: root passes all of them. */
export const BOUND_BY_PERMISSIONS: readonly string[] = process.getuid?.() === 0 ? ['--import', BECOME] : [];

/** Gives directories to the user of that process. */
export async function giveToBound(...directories: readonly string[]): Promise<void> {
  if (BOUND_BY_PERMISSIONS.length > 0) for (const directory of directories) await chown(directory, NOBODY, NOBODY);
}
