import { chmod, chown, lstat, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { makePrivateDirectory } from '../src/private-directory.ts';
import { defaultStateDirectory, stateDirectoryOf } from '../src/state-directory.ts';
import { UsageError } from '../src/usage-error.ts';

const POSIX = process.platform !== 'win32';
const ROOT = process.geteuid?.() === 0;

/** A directory with these rights, in a private one. */
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

  it('is the one that the operator names', () => {
    expect(stateDirectoryOf('mcp-x', { stateDir: 'here' })).toBe(path.resolve('here'));
  });
});

describe.runIf(POSIX)('a directory that the operator names for state', () => {
  it('is used as it is if it is private, or not there yet', async () => {
    const directory = await directoryOf(0o700);
    expect(stateDirectoryOf('mcp-x', { stateDir: directory })).toBe(directory);
    expect(stateDirectoryOf('mcp-x', { stateDir: path.join(directory, 'new', 'one') })).toBe(path.join(directory, 'new', 'one'));
  });

  it.each([0o1777, 0o755, 0o750])(
    'keeps its rights if others may use it, and state is in a directory of its own: %o',
    async (mode) => {
      const directory = await directoryOf(mode);
      const own = stateDirectoryOf('mcp-x', { stateDir: directory });
      expect(own).toBe(path.join(directory, 'mcp-x'));
      await makePrivateDirectory(own);
      expect([await modeOf(directory), await modeOf(own)]).toEqual([mode, 0o700]);
      expect(stateDirectoryOf('mcp-x', { stateDir: directory })).toBe(own);
    },
  );

  it.each([
    ['that every user may write without a sticky bit', '', /given can be written by every user and has no sticky bit/],
    ['inside one that every user may write without a sticky bit', 'inside/it', /given can be written by every user/],
  ])('is refused: one %s', async (_, inside, message) => {
    const directory = await directoryOf(0o777);
    const refused = (): string => stateDirectoryOf('mcp-x', { stateDir: path.join(directory, inside) });
    expect(refused).toThrow(message);
    expect(refused).toThrow(UsageError);
    expect(await modeOf(directory)).toBe(0o777);
  });

  it('is refused if it is a file', async () => {
    const file = path.join(await directoryOf(0o700), 'file');
    await writeFile(file, '');
    expect(() => stateDirectoryOf('mcp-x', { stateDir: file })).toThrow(/file is not a directory/);
  });

  it.runIf(ROOT)('is refused if it belongs to another user', async () => {
    const directory = await directoryOf(0o755);
    await chown(directory, 1000, 1000);
    expect(() => stateDirectoryOf('mcp-x', { stateDir: directory })).toThrow(/given belongs to another user/);
  });

  it.each([
    ['a link', (own: string, victim: string) => symlink(victim, own), /mcp-x is not a directory/],
    [
      'a directory that others may use',
      (own: string) => mkdir(own).then(() => chmod(own, 0o755)),
      /mcp-x can be used by other users \(mode 755\)/,
    ],
  ])('is refused if %s was planted in it under the name of the server', async (_, plant, message) => {
    const [directory, victim] = [await directoryOf(0o1777), await directoryOf(0o755)];
    await plant(path.join(directory, 'mcp-x'), victim);
    expect(() => stateDirectoryOf('mcp-x', { stateDir: directory })).toThrow(message);
    await expect(makePrivateDirectory(path.join(directory, 'mcp-x'))).rejects.toThrow(message);
    expect(await modeOf(victim)).toBe(0o755);
  });

  it.runIf(ROOT)('is refused if another user planted a private directory in it under the name of the server', async () => {
    const directory = await directoryOf(0o1777);
    await mkdir(path.join(directory, 'mcp-x'), { mode: 0o700 });
    await chown(path.join(directory, 'mcp-x'), 1000, 1000);
    expect(() => stateDirectoryOf('mcp-x', { stateDir: directory })).toThrow(/mcp-x belongs to another user/);
  });

  it.each([
    [0o700, ''],
    [0o755, 'mcp-x'],
  ])('may be a link to a directory with mode %o', async (mode, inside) => {
    const directory = await directoryOf(mode);
    const link = `${directory}-link`;
    await symlink(directory, link);
    const own = stateDirectoryOf('mcp-x', { stateDir: link });
    expect(own).toBe(path.join(directory, inside));
    await makePrivateDirectory(own);
    expect(await modeOf(own)).toBe(0o700);
  });

  it('is refused if it is a link to nothing', async () => {
    const directory = await directoryOf(0o700);
    await symlink('missing', path.join(directory, 'link'));
    expect(() => stateDirectoryOf('mcp-x', { stateDir: path.join(directory, 'link') })).toThrow(/link is a link to nothing/);
  });

  it('is refused if the path contains a file', async () => {
    const directory = await directoryOf(0o700);
    await writeFile(path.join(directory, 'file'), '');
    const refused = (): string => stateDirectoryOf('mcp-x', { stateDir: path.join(directory, 'file', 'x') });
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
    expect(stateDirectoryOf('mcp-x', {})).toBe(directory);
    await makePrivateDirectory(directory);
    expect(await modeOf(directory)).toBe(0o700);
  });

  it.runIf(ROOT)('keeps its rights if it belongs to another user', async () => {
    const directory = await placed(0o755);
    await chown(directory, 1000, 1000);
    expect(stateDirectoryOf('mcp-x', {})).toBe(directory);
    expect(await modeOf(directory)).toBe(0o755);
    await expect(makePrivateDirectory(directory)).rejects.toThrow(/mcp-x belongs to another user/);
  });

  it('does not have to be usable', () => {
    vi.stubEnv('XDG_STATE_HOME', '/dev/null');
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(stateDirectoryOf('mcp-x', {})).toBe('/dev/null/mcp-x');
  });
});
