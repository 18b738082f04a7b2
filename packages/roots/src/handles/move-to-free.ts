import { errorCode } from '../error-code.ts';
import type { Calls } from '../hold/calls.ts';

/**
 * Moves to a name that nothing has. Fails with EEXIST where something has it.
 *
 * A rename alone would replace what came to be there since somebody looked. A second name never does, and then the first one goes;
 * what breaks off in between has two names. Directories and some file systems know no second names.
 */
export async function moveToFree(calls: Calls, from: string, to: string): Promise<void> {
  try {
    await calls.link(from, to);
  } catch (error) {
    if (!WITHOUT_LINKS.has(errorCode(error) ?? '')) throw error;
    await requireFree(calls, to);
    await calls.rename(from, to);
    return;
  }
  await calls.unlink(from);
}

const WITHOUT_LINKS: ReadonlySet<string> = new Set(['EPERM', 'EACCES', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EISDIR']);

async function requireFree(calls: Calls, to: string): Promise<void> {
  const isFree = await Promise.resolve()
    .then(() => calls.lstat(to))
    .then(
      () => false,
      (error: unknown) => {
        if (errorCode(error) === 'ENOENT') return true;
        throw error;
      },
    );
  if (!isFree) throw Object.assign(new Error('EEXIST: the name is taken'), { code: 'EEXIST' });
}
