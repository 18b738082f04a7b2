import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';

import { programOf, type Program } from '../../src/setup/program.ts';

let home = '';

beforeEach(async () => {
  home = await realpath(await mkdtemp(path.join(tmpdir(), 'program-')));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
});

/** Writes a file, and a manifest, if there is one, and tells how the program in the file is started. */
async function started(directory: string, file: string, manifest?: object): Promise<Program> {
  const script = path.join(home, directory, file);
  await mkdir(path.dirname(script), { recursive: true });
  await writeFile(script, '');
  if (manifest !== undefined) await writeFile(path.join(home, directory, 'package.json'), JSON.stringify(manifest));
  return programOf({ node: '/usr/bin/node', script });
}

describe('a program of an installed package', () => {
  it.each<readonly [string, object, readonly string[]]>([
    ['node_modules/notes', { name: 'notes', bin: './bin/notes.js' }, ['notes']],
    ['node_modules/notes', { name: 'notes', bin: { anything: 'bin/notes.js' } }, ['notes']],
    ['node_modules/@acme/notes', { name: '@acme/notes', bin: { notes: './bin/notes.js', more: './more.js' } }, ['@acme/notes']],
    [
      'node_modules/@acme/notes',
      { name: '@acme/notes', bin: { more: './more.js', other: './bin/notes.js' } },
      ['--package=@acme/notes', 'other'],
    ],
    ['node_modules/.store/x/node_modules/notes', { name: 'notes', bin: 'bin/notes.js' }, ['notes']],
  ])('is started by npx: %s, %j', async (directory, manifest, args) => {
    expect(await started(directory, 'bin/notes.js', manifest)).toEqual({ command: 'npx', args: ['-y', ...args] });
  });

  it.each<readonly [string, object | undefined]>([
    ['that no registry has', { name: 'notes', bin: './bin/notes.js', private: true }],
    ['that declares another program', { name: 'notes', bin: './other.js' }],
    ['that declares none', { name: 'notes' }],
    ['without a name', { bin: './bin/notes.js' }],
    ['without a manifest', undefined],
  ])('is started by its file if it is a package %s', async (_, manifest) => {
    const script = path.join(home, 'node_modules/notes/bin/notes.js');
    expect(await started('node_modules/notes', 'bin/notes.js', manifest)).toEqual({ command: '/usr/bin/node', args: [script] });
  });
});

describe('a program of a checkout', () => {
  it('is started by its file', async () => {
    const script = path.join(home, 'notes/bin/notes.js');
    const program = await started('notes', 'bin/notes.js', { name: 'notes', bin: './bin/notes.js' });
    expect(program).toEqual({ command: '/usr/bin/node', args: [script] });
  });

  it('is started by its file also where a link of an installation leads to it', async () => {
    const { args } = await started('notes', 'bin/notes.js', { name: 'notes', bin: './bin/notes.js' });
    await mkdir(path.join(home, 'node_modules'));
    await symlink(path.join(home, 'notes'), path.join(home, 'node_modules/notes'), 'dir');
    const script = path.join(home, 'node_modules/notes/bin/notes.js');
    expect(await programOf({ node: '/usr/bin/node', script })).toEqual({ command: '/usr/bin/node', args });
  });

  it('cannot be started again if it was no file', async () => {
    await expect(programOf({ node: '/usr/bin/node', script: undefined })).rejects.toThrow('was not started from a file');
  });
});
