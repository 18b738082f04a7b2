import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { describe, expect, it, onTestFinished } from 'vitest';

import { createFixture, GUARANTEES, openRoots, getOutcome, write, type RootFixture } from '../fixtures.ts';
import { OUTCOMES, listNames, outcomes, collectOutcomes, readFile } from '../operations.ts';

const DENIED = outcomes('DENIED_BY_POLICY');

describe.runIf(process.platform === 'linux').each(GUARANTEES)('roots with crossMounts: false (guarantee %s)', (guarantee) => {
  // Linux mounts a memory file system at `/dev/shm`, which is therefore a mount point below the root `/dev`.
  it('list a mount point below a root, but do not enter it', async () => {
    expect(statSync('/dev/shm').dev).not.toBe(statSync('/dev').dev);
    const roots = await openRoots([{ path: '/dev', mode: 'ro' }], { guarantee, crossMounts: false });
    await using directory = await roots.openDirectory('.');
    expect(await listNames(directory)).toContain('shm');
    expect(await getOutcome(directory.facts('shm'))).toBe('allowed');
    expect(await getOutcome(directory.openDirectory('shm'))).toBe('DENIED_BY_POLICY');
    for (const given of ['shm', '/dev/shm', 'shm/missing', 'shm/missing/x'])
      expect(await getOutcome(roots.openDirectory(given)), given).toBe('DENIED_BY_POLICY');
    expect((await directory.workerScope()).device).toBe(statSync('/dev').dev);
  });

  it('accept a mount point as a separate root', async () => {
    const settings = [{ path: '/dev', mode: 'ro' as const }, '/dev/shm'];
    const roots = await openRoots(settings, { guarantee, crossMounts: false });
    expect(await getOutcome(roots.openDirectory('/dev/shm'))).toBe('allowed');
    const narrowed = await roots.narrowedTo([pathToFileURL('/dev/shm').href]);
    expect(await getOutcome(narrowed.openDirectory('.'))).toBe('allowed');
  });

  it('reject a mount that a client names as its root', async () => {
    const roots = await openRoots([{ path: '/dev', mode: 'ro' }], { guarantee, crossMounts: false });
    const narrowed = await roots.narrowedTo([pathToFileURL('/dev/shm').href]);
    expect(await getOutcome(narrowed.openDirectory('.'))).toBe('DENIED_BY_POLICY');
    const unbounded = await openRoots([], { guarantee, crossMounts: false });
    expect(await getOutcome((await unbounded.narrowedTo([pathToFileURL('/dev/shm').href])).openDirectory('.'))).toBe('allowed');
  });

  it.runIf(mayMount())(
    'refuse to find, read, create, move or delete anything in a mount, and to move anything into it',
    async () => {
      const prepare = async (): Promise<RootFixture> => {
        const at = await createFixture({ guarantee, crossMounts: false });
        await mount(path.join(at.root, 'mounted'));
        await write(path.join(at.root, 'mounted/in.txt'));
        return at;
      };
      for (const given of ['mounted/in.txt', 'mounted/new.txt', 'mounted/new/newer'])
        expect(await collectOutcomes(prepare, () => given), given).toEqual(DENIED);
      expect(await collectOutcomes(prepare, () => 'a/b.txt')).toEqual(OUTCOMES.file);
    },
  );
});

describe.runIf(process.platform === 'linux')('roots with default options', () => {
  it('enter mounts', async () => {
    const roots = await openRoots([{ path: '/dev', mode: 'ro' }]);
    await using directory = await roots.openDirectory('shm');
    expect((await directory.workerScope()).device).toBeUndefined();
  });

  it.runIf(mayMount())('read and write in mounts', async () => {
    const { root, roots } = await createFixture();
    await mount(path.join(root, 'mounted'));
    await write(path.join(root, 'mounted/in.txt'));
    expect(await readFile(roots, 'mounted/in.txt')).toBe('in.txt');
  });
});

async function mount(directory: string): Promise<void> {
  await mkdir(directory);
  mountAt(directory);
  onTestFinished(() => void execFileSync('umount', ['-l', directory]));
}

function mountAt(directory: string): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', directory], { stdio: 'ignore' });
}

/** Whether this process may mount file systems. Only root may, and some containers forbid it even to root. */
function mayMount(): boolean {
  if (process.platform !== 'linux') return false;
  const directory = mkdtempSync(path.join(tmpdir(), 'mcp-roots-mount-'));
  try {
    mountAt(directory);
    execFileSync('umount', ['-l', directory]);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(directory, { recursive: true });
  }
}
