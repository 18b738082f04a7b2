import { chmod, chown, lstat, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { makePrivateDirectory } from '../../src/process/private-directory.ts';
import { defaultStateDirectory, resolveStateDirectory } from '../../src/process/state-directory.ts';
import { UsageError } from '../../src/process/usage-error.ts';

const POSIX = process.platform !== 'win32';
const ROOT = process.geteuid?.() === 0;

/** Creates a directory with this mode inside a private directory. */
async function directoryOf(mode: number): Promise<string> {
  const above = await realpath(await mkdtemp(path.join(tmpdir(), 'state-')));
  onTestFinished(() => rm(above, { recursive: true, force: true }));
  const directory = path.join(above, 'given');
  await mkdir(directory);
  await chmod(directory, mode);
  return directory;
}

async function modeOf(directory: string): Promise<number> {
  return (await lstat(directory)).mode & 0o7777;
}

describe('the state directory', () => {
  it.each([
    ['on Linux', '/home/ada/.local/state/mcp-x', { platform: 'linux', env: {}, home: '/home/ada' }],
    [
      'where XDG_STATE_HOME says',
      '/var/state/mcp-x',
      { platform: 'linux', env: { XDG_STATE_HOME: '/var/state' }, home: '/home/ada' },
    ],
    [
      'not where a relative XDG_STATE_HOME says',
      '/home/ada/.local/state/mcp-x',
      { platform: 'linux', env: { XDG_STATE_HOME: 'x' }, home: '/home/ada' },
    ],
    ['on macOS', '/Users/ada/Library/Application Support/mcp-x', { platform: 'darwin', env: {}, home: '/Users/ada' }],
    ['on Windows', 'D:\\Local\\mcp-x', { platform: 'win32', env: { LOCALAPPDATA: 'D:\\Local' }, home: 'C:\\Users\\ada' }],
    [
      'on Windows without LOCALAPPDATA',
      'C:\\Users\\ada\\AppData\\Local\\mcp-x',
      { platform: 'win32', env: {}, home: 'C:\\Users\\ada' },
    ],
  ] as const)('is, %s', (_, expected, machine) => {
    expect(defaultStateDirectory('mcp-x', machine)).toBe(expected);
  });

  it('is the directory in --state-dir', () => {
    expect(resolveStateDirectory('mcp-x', { stateDir: 'here' })).toBe(path.resolve('here'));
  });
});

describe.runIf(POSIX)('a directory in --state-dir', () => {
  it('is used itself if it is private or does not exist', async () => {
    const directory = await directoryOf(0o700);
    expect(resolveStateDirectory('mcp-x', { stateDir: directory })).toBe(directory);
    expect(resolveStateDirectory('mcp-x', { stateDir: path.join(directory, 'new', 'one') })).toBe(
      path.join(directory, 'new', 'one'),
    );
  });

  it.each([0o1777, 0o755, 0o750])(
    'keeps its mode if others have access, and a subdirectory contains the state: %o',
    async (mode) => {
      const directory = await directoryOf(mode);
      const own = resolveStateDirectory('mcp-x', { stateDir: directory });
      expect(own).toBe(path.join(directory, 'mcp-x'));
      await makePrivateDirectory(own);
      expect([await modeOf(directory), await modeOf(own)]).toEqual([mode, 0o700]);
      expect(resolveStateDirectory('mcp-x', { stateDir: directory })).toBe(own);
    },
  );

  it.each([
    ['that every user may write without a sticky bit', '', /given can be written by every user and has no sticky bit/],
    ['inside a directory that every user may write without a sticky bit', 'inside/it', /given can be written by every user/],
  ])('is rejected if it is a directory %s', async (_, inside, message) => {
    const directory = await directoryOf(0o777);
    const refused = (): string => resolveStateDirectory('mcp-x', { stateDir: path.join(directory, inside) });
    expect(refused).toThrow(message);
    expect(refused).toThrow(UsageError);
    expect(await modeOf(directory)).toBe(0o777);
  });

  it('is rejected if it is a file', async () => {
    const file = path.join(await directoryOf(0o700), 'file');
    await writeFile(file, '');
    expect(() => resolveStateDirectory('mcp-x', { stateDir: file })).toThrow(/file is not a directory/);
  });

  it.runIf(ROOT)('is rejected if it belongs to another user', async () => {
    const directory = await directoryOf(0o755);
    await chown(directory, 1000, 1000);
    expect(() => resolveStateDirectory('mcp-x', { stateDir: directory })).toThrow(/given belongs to another user/);
  });

  it.each([
    ['a link', (own: string, victim: string) => symlink(victim, own), /mcp-x is not a directory/],
    [
      'a directory that others may use',
      (own: string) => mkdir(own).then(() => chmod(own, 0o755)),
      /mcp-x can be used by other users \(mode 755\)/,
    ],
  ])('is rejected if it contains %s with the name of the server', async (_, plant, message) => {
    const [directory, victim] = [await directoryOf(0o1777), await directoryOf(0o755)];
    await plant(path.join(directory, 'mcp-x'), victim);
    expect(() => resolveStateDirectory('mcp-x', { stateDir: directory })).toThrow(message);
    await expect(makePrivateDirectory(path.join(directory, 'mcp-x'))).rejects.toThrow(message);
    expect(await modeOf(victim)).toBe(0o755);
  });

  it.runIf(ROOT)("is rejected if it contains another user's private directory with the name of the server", async () => {
    const directory = await directoryOf(0o1777);
    await mkdir(path.join(directory, 'mcp-x'), { mode: 0o700 });
    await chown(path.join(directory, 'mcp-x'), 1000, 1000);
    expect(() => resolveStateDirectory('mcp-x', { stateDir: directory })).toThrow(/mcp-x belongs to another user/);
  });

  it.each([
    [0o700, ''],
    [0o755, 'mcp-x'],
  ])('may be a link to a directory with mode %o', async (mode, inside) => {
    const directory = await directoryOf(mode);
    const link = `${directory}-link`;
    await symlink(directory, link);
    const own = resolveStateDirectory('mcp-x', { stateDir: link });
    expect(own).toBe(path.join(directory, inside));
    await makePrivateDirectory(own);
    expect(await modeOf(own)).toBe(0o700);
  });

  it('is rejected if it is a broken link', async () => {
    const directory = await directoryOf(0o700);
    await symlink('missing', path.join(directory, 'link'));
    expect(() => resolveStateDirectory('mcp-x', { stateDir: path.join(directory, 'link') })).toThrow(
      /link is a broken symbolic link/,
    );
  });

  it('is rejected if the path contains a file', async () => {
    const directory = await directoryOf(0o700);
    await writeFile(path.join(directory, 'file'), '');
    const refused = (): string => resolveStateDirectory('mcp-x', { stateDir: path.join(directory, 'file', 'x') });
    expect(refused).toThrow(UsageError);
    expect(refused).toThrow(/x cannot be used \(ENOTDIR/);
  });
});

describe.runIf(process.platform === 'linux')('the default state directory', () => {
  async function placed(mode: number): Promise<string> {
    const directory = await directoryOf(0o755);
    vi.stubEnv('XDG_STATE_HOME', directory);
    onTestFinished(() => void vi.unstubAllEnvs());
    await mkdir(path.join(directory, 'mcp-x'));
    await chmod(path.join(directory, 'mcp-x'), mode);
    return path.join(directory, 'mcp-x');
  }

  it.each([0o755, 0o770, 0o700])('becomes private if it belongs to the user: %o', async (mode) => {
    const directory = await placed(mode);
    expect(resolveStateDirectory('mcp-x', {})).toBe(directory);
    await makePrivateDirectory(directory);
    expect(await modeOf(directory)).toBe(0o700);
  });

  it.runIf(ROOT)('keeps its mode if it belongs to another user', async () => {
    const directory = await placed(0o755);
    await chown(directory, 1000, 1000);
    expect(resolveStateDirectory('mcp-x', {})).toBe(directory);
    expect(await modeOf(directory)).toBe(0o755);
    await expect(makePrivateDirectory(directory)).rejects.toThrow(/mcp-x belongs to another user/);
  });

  it('does not throw if it is unusable', () => {
    vi.stubEnv('XDG_STATE_HOME', '/dev/null');
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(resolveStateDirectory('mcp-x', {})).toBe('/dev/null/mcp-x');
  });
});
