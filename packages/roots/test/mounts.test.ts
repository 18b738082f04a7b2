import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { describe, expect, it, onTestFinished } from 'vitest';

import { ground, GUARANTEES, opened, outcome, write, type Ground } from './ground.ts';
import { MEETS, namesIn, outcomes, outcomesOf, readFile } from './operations.ts';

const DENIED = outcomes('DENIED_BY_POLICY');

describe.runIf(process.platform === 'linux').each(GUARANTEES)('held as %s, where mounts are not crossed,', (guarantee) => {
  // Linux has memory mounted there, on a file system that is another one.
  it('what is mounted below a root is shown and not entered', async () => {
    expect(statSync('/dev/shm').dev).not.toBe(statSync('/dev').dev);
    const roots = await opened([{ path: '/dev', mode: 'ro' }], { guarantee, crossMounts: false });
    await using directory = await roots.openDirectory('.');
    expect(await namesIn(directory)).toContain('shm');
    expect(await outcome(directory.facts('shm'))).toBe('allowed');
    expect(await outcome(directory.openDirectory('shm'))).toBe('DENIED_BY_POLICY');
    for (const given of ['shm', '/dev/shm', 'shm/missing', 'shm/missing/x'])
      expect(await outcome(roots.openDirectory(given)), given).toBe('DENIED_BY_POLICY');
    expect((await directory.threadGround()).device).toBe(statSync('/dev').dev);
  });

  it('a root may itself be mounted below another one', async () => {
    const settings = [{ path: '/dev', mode: 'ro' as const }, '/dev/shm'];
    const roots = await opened(settings, { guarantee, crossMounts: false });
    expect(await outcome(roots.openDirectory('/dev/shm'))).toBe('allowed');
    const narrowed = await roots.narrowedTo([pathToFileURL('/dev/shm').href]);
    expect(await outcome(narrowed.openDirectory('.'))).toBe('allowed');
  });

  it('a client does not enter one by naming it', async () => {
    const roots = await opened([{ path: '/dev', mode: 'ro' }], { guarantee, crossMounts: false });
    const narrowed = await roots.narrowedTo([pathToFileURL('/dev/shm').href]);
    expect(await outcome(narrowed.openDirectory('.'))).toBe('DENIED_BY_POLICY');
    const unbounded = await opened([], { guarantee, crossMounts: false });
    expect(await outcome((await unbounded.narrowedTo([pathToFileURL('/dev/shm').href])).openDirectory('.'))).toBe('allowed');
  });

  it.runIf(mayMount())('nothing in one is found, read, made, moved or deleted, and nothing moved there', async () => {
    const prepare = async (): Promise<Ground> => {
      const at = await ground({ guarantee, crossMounts: false });
      await mount(path.join(at.root, 'mounted'));
      await write(path.join(at.root, 'mounted/in.txt'));
      return at;
    };
    for (const given of ['mounted/in.txt', 'mounted/new.txt', 'mounted/new/newer'])
      expect(await outcomesOf(prepare, () => given), given).toEqual(DENIED);
    expect(await outcomesOf(prepare, () => 'a/b.txt')).toEqual(MEETS.file);
  });
});

describe.runIf(process.platform === 'linux')('mounts', () => {
  it('are crossed unless that is said', async () => {
    const roots = await opened([{ path: '/dev', mode: 'ro' }]);
    await using directory = await roots.openDirectory('shm');
    expect((await directory.threadGround()).device).toBeUndefined();
  });

  it.runIf(mayMount())('are read and written unless that is said', async () => {
    const { root, roots } = await ground();
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

/** Only root may, and not in every container. */
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
