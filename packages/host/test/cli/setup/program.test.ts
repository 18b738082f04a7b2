import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';

import { findProgram, type Program } from '../../../src/cli/setup/program.ts';

let home = '';

beforeEach(async () => {
  home = await realpath(await mkdtemp(path.join(tmpdir(), 'program-')));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
});

/** Writes a file and an optional manifest, and returns the command that starts the program in the file. */
async function started(directory: string, file: string, manifest?: object): Promise<Program> {
  const script = path.join(home, directory, file);
  await mkdir(path.dirname(script), { recursive: true });
  await writeFile(script, '');
  if (manifest !== undefined) await writeFile(path.join(home, directory, 'package.json'), JSON.stringify(manifest));
  return findProgram({ node: '/usr/bin/node', script });
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
  ])('is started with npx: %s, %j', async (directory, manifest, args) => {
    expect(await started(directory, 'bin/notes.js', manifest)).toEqual({ command: 'npx', args: ['-y', ...args] });
  });

  it.each<readonly [string, object | undefined]>([
    ['that is private', { name: 'notes', bin: './bin/notes.js', private: true }],
    ['that declares another program', { name: 'notes', bin: './other.js' }],
    ['that declares no program', { name: 'notes' }],
    ['without a name', { bin: './bin/notes.js' }],
    ['without a manifest', undefined],
  ])('is started with its file if its package is one %s', async (_, manifest) => {
    const script = path.join(home, 'node_modules/notes/bin/notes.js');
    expect(await started('node_modules/notes', 'bin/notes.js', manifest)).toEqual({ command: '/usr/bin/node', args: [script] });
  });
});

describe('a program of a checkout', () => {
  it('is started with its file', async () => {
    const script = path.join(home, 'notes/bin/notes.js');
    const program = await started('notes', 'bin/notes.js', { name: 'notes', bin: './bin/notes.js' });
    expect(program).toEqual({ command: '/usr/bin/node', args: [script] });
  });

  it('is started with its file even if an installation links to it', async () => {
    const { args } = await started('notes', 'bin/notes.js', { name: 'notes', bin: './bin/notes.js' });
    await mkdir(path.join(home, 'node_modules'));
    await symlink(path.join(home, 'notes'), path.join(home, 'node_modules/notes'), 'dir');
    const script = path.join(home, 'node_modules/notes/bin/notes.js');
    expect(await findProgram({ node: '/usr/bin/node', script })).toEqual({ command: '/usr/bin/node', args });
  });

  it('cannot be installed if it was not started from a file', async () => {
    await expect(findProgram({ node: '/usr/bin/node', script: undefined })).rejects.toThrow('was not started from a file');
  });
});
