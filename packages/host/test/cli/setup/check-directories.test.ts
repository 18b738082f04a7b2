import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { TextList } from '@org/mcp-decorators';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';

import { checkDirectories } from '../../../src/cli/setup/check-directories.ts';
import { ServerOptions } from '../../../src/options/server-options.ts';
import { UsageError } from '../../../src/process/usage-error.ts';
import { invocationOf } from './invoked.ts';
import { NotesOptions } from './notes-options.ts';

class FolderOptions extends ServerOptions {
  static override readonly positional: string | undefined = 'directories';

  @TextList('Directories', { title: 'DIRECTORY', format: 'path' }) directories: string[] = [];
  @TextList('Further directories', { title: 'DIRECTORY', format: 'path' }) ro: string[] = [];
}

let directory = '';

beforeEach(async () => {
  directory = await realpath(await mkdtemp(path.join(tmpdir(), 'folders-')));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  await mkdir(path.join(directory, 'docs'));
  await writeFile(path.join(directory, 'file.txt'), '');
});

describe('the directories of a server that is installed', () => {
  it('are reported if they are missing', async () => {
    const invocation = invocationOf(FolderOptions, ['docs', 'later', '--ro', `${directory}/none`]);
    expect(await checkDirectories(invocation, { directory })).toEqual([
      `Warning: the directory ${directory}/later does not exist or cannot be examined.`,
      `Warning: the directory ${directory}/none does not exist or cannot be examined.`,
    ]);
  });

  it.each([['file.txt'], ['docs', '--ro', 'file.txt']])('must not be files: %s', async (...argv) => {
    const checking = checkDirectories(invocationOf(FolderOptions, argv), { directory });
    await expect(checking).rejects.toThrow(UsageError);
    await expect(checking).rejects.toThrow(`${directory}/file.txt is not a directory`);
  });

  it('are reported if none is given', async () => {
    expect(await checkDirectories(invocationOf(FolderOptions, []), { directory })).toEqual([
      'Warning: no directory is given, so only clients with roots can use the server.',
    ]);
    expect(await checkDirectories(invocationOf(FolderOptions, ['--ro', 'docs']), { directory })).toEqual([]);
  });

  it('are not expected from a server without such options', async () => {
    expect(await checkDirectories(invocationOf(ServerOptions, []), { directory })).toEqual([]);
    expect(await checkDirectories(invocationOf(NotesOptions, ['file.txt']), { directory })).toEqual([]);
  });
});
