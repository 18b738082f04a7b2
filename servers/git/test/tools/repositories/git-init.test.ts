import { existsSync } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { connectGit, temporaryDirectory, writeIn } from '../../fixtures/temporary.ts';

describe('git_init', () => {
  it('creates a repository in a new directory, and in a directory with files', async () => {
    const root = await temporaryDirectory();
    await writeIn(root, 'there/a.txt', 'x');
    await using session = await connectGit({ directories: [root] });
    expect(await session.text('git_init', { repo_path: 'fresh' })).toBe(
      `Created an empty repository in ${path.join(root, 'fresh')}, on branch main`,
    );
    const { structuredContent } = await session.call('git_init', { repo_path: 'there', initial_branch: 'trunk' });
    expect(structuredContent).toMatchObject({ path: path.join(root, 'there'), branch: 'trunk', bare: false });
    expect(await session.text('git_status', { repo_path: 'there' })).toBe('On branch trunk, without commits\nuntracked: a.txt');
    expect(existsSync(path.join(root, 'fresh/.git/hooks'))).toBe(false);
    expect((await readdir(root)).sort()).toEqual(['fresh', 'there']);
    expect((await readdir(path.join(root, 'there'))).sort()).toEqual(['.git', 'a.txt']);
  });

  it('creates a repository in an allowed directory itself, once', async () => {
    const root = await temporaryDirectory();
    await using session = await connectGit({ directories: [root] });
    await session.call('git_init', { repo_path: '.' });
    expect(await session.fails('git_init', { repo_path: '.' })).toMatch(/^REPO_EXISTS/);
    expect(await session.text('git_status')).toBe('On branch main, without commits\nNo changes');
  });

  it.each(['-x', 'a..b', '', 'a b', '--bare'])('rejects the branch %j and leaves nothing', async (initial_branch) => {
    const root = await temporaryDirectory();
    await using session = await connectGit({ directories: [root] });
    expect(await session.fails('git_init', { repo_path: 'new', initial_branch })).toMatch(/^INVALID_REF_NAME/);
    expect(await readdir(root)).toEqual([]);
  });

  it('creates a bare repository in a new or empty directory', async () => {
    const root = await temporaryDirectory();
    await mkdir(path.join(root, 'empty'));
    await using session = await connectGit({ directories: [root] });
    for (const repo_path of ['new.git', 'empty'])
      expect((await session.call('git_init', { repo_path, bare: true })).structuredContent).toMatchObject({
        branch: 'main',
        bare: true,
      });
    expect(existsSync(path.join(root, 'empty/HEAD'))).toBe(true);
    expect(await session.fails('git_init', { repo_path: 'empty', bare: true })).toMatch(/^ALREADY_EXISTS/);
    expect(await session.text('git_branch', { repo_path: 'new.git' })).toBe('No branches found');
  });
});
