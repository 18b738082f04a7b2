import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { connectProcess } from '@org/mcp-testing';
import { describe, expect, it, onTestFinished } from 'vitest';

import { mcpFs } from '../fixtures/mcp-fs.ts';
import { connectFiles, temporaryDirectory, temporaryState } from '../fixtures/temporary.ts';

const CALLS = [
  ['write_file', { path: 'f', content: 'x'.repeat(400_000) }],
  ['append_file', { path: 'f', content: 'x'.repeat(400_000) }],
  ['edit_file', { path: 'f', edits: [{ oldText: 'old', newText: 'x'.repeat(400_000) }] }],
  ['write_file', { path: 'new', content: 'x'.repeat(400_000) }],
  ['copy_file', { source: 'large', destination: 'f', overwrite: true }],
] as const;

/** Mounts a file system of 512 kB, or returns `undefined` if this user may not mount. */
async function smallDisk(): Promise<string | undefined> {
  const directory = await temporaryDirectory();
  const disk = path.join(directory, 'disk');
  await mkdir(disk);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=512k', 'tmpfs', disk], { stdio: 'ignore' });
  } catch {
    return undefined;
  }
  onTestFinished(() => void execFileSync('umount', ['-l', disk]));
  return disk;
}

describe.runIf(process.platform === 'linux')('a disk without space', () => {
  it.each(CALLS)('leaves the file unchanged and no other file: %s', async (tool, input) => {
    const disk = await smallDisk();
    if (disk === undefined) return;
    await writeFile(path.join(disk, 'f'), 'old');
    await writeFile(path.join(disk, 'large'), Buffer.alloc(300_000));
    await using session = await connectFiles({ directories: [disk] });
    expect(await session.fails(tool, input)).toMatch(/^NO_SPACE: .*no space is left/);
    expect((await readdir(disk)).sort()).toEqual(['f', 'large']);
    expect(await readFile(path.join(disk, 'f'), 'utf8')).toBe('old');
    expect(await session.text('list_changes')).toBe('No change can be undone');
    expect(await session.text('write_file', { path: 'f', content: 'new' })).toContain('Replaced');
  });

  it('leaves no part of a copied directory', async () => {
    const disk = await smallDisk();
    if (disk === undefined) return;
    await mkdir(path.join(disk, 'sub'));
    for (const name of ['a', 'b', 'c']) await writeFile(path.join(disk, 'sub', name), Buffer.alloc(100_000));
    await using session = await connectFiles({ directories: [disk] });
    expect(await session.fails('copy_file', { source: 'sub', destination: 'copy' })).toMatch(/^NO_SPACE/);
    expect(await readdir(disk)).toEqual(['sub']);
    expect(await session.text('list_changes')).toBe('No change can be undone');
  });

  it('prevents a change if this disk contains the journal', async () => {
    const disk = await smallDisk();
    if (disk === undefined) return;
    const root = await temporaryDirectory();
    await writeFile(path.join(root, 'f'), Buffer.alloc(1_000_000));
    await using session = await connectFiles({ directories: [root], stateDir: path.join(disk, 'state') });
    expect(await session.fails('delete_file', { path: 'f' })).toMatch(/^NO_SPACE/);
    expect(await readdir(root)).toEqual(['f']);
    expect(await session.text('delete_file', { path: 'f', permanent: true })).toContain('Deleted');
  });
});

describe.runIf(process.platform === 'linux')('a limit of the file size', () => {
  it.each(CALLS)('leaves the file unchanged and no other file: %s', async (tool, input) => {
    const root = await temporaryDirectory();
    await writeFile(path.join(root, 'f'), 'old');
    await writeFile(path.join(root, 'large'), Buffer.alloc(300_000));
    const { command, args } = mcpFs('--state-dir', temporaryState(), root);
    // The limit is in blocks of 1024 bytes.
    const limited = ['-c', 'trap "" XFSZ; ulimit -f 200; exec "$0" "$@"', command, ...args];
    await using session = await connectProcess({ command: 'bash', args: limited });
    expect(await session.fails(tool, input)).toMatch(/^NO_SPACE: .*the file would exceed the maximum size/);
    expect((await readdir(root)).sort()).toEqual(['f', 'large']);
    expect(await readFile(path.join(root, 'f'), 'utf8')).toBe('old');
    expect(await session.text('write_file', { path: 'f', content: 'new' })).toContain('Replaced');
  });
});
