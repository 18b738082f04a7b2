import { existsSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';

import { ERAS } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { recover } from '../../fixtures/confirming.ts';
import { connectGit, git, repositoryOf, temporaryDirectory, writeIn } from '../../fixtures/temporary.ts';

const FILES = { root: 'r\n', 'a/1': '1\n', 'a/b/2': '2\n', 'c/3': '3\n', 'd/e/4': '4\n' };
const ALL = Object.keys(FILES).toSorted();

function project(): Promise<string> {
  return repositoryOf([
    ['Begin', { ...FILES, '.gitignore': '*.o\n' }],
    ['More', { 'a/1': '11\n' }],
  ]);
}

/** Returns the tracked files that exist in the work tree. */
function presentIn(top: string): readonly string[] {
  return ALL.filter((file) => existsSync(path.join(top, file)));
}

const set = (...directories: string[]): Readonly<Record<string, unknown>> => ({ action: 'set', directories });

describe.each(ERAS)('git_sparse_checkout, on a %s connection,', (era) => {
  it('checks out only the named directories, their parents and the top, and can be undone', async () => {
    const top = await project();
    await using session = await connectGit({ directories: [top] }, era);
    const result = await session.call('git_sparse_checkout', set('a/b'));
    expect(result.structuredContent).toMatchObject({ kind: 'directories', directories: 1, kept: [], kept_total: 0 });
    expect(presentIn(top)).toEqual(['a/1', 'a/b/2', 'root']);
    expect(git(top, ['status', '--porcelain'])).toBe('');
    expect(git(top, ['sparse-checkout', 'list'])).toBe('a/b\n');
    const more = await session.call('git_sparse_checkout', { action: 'add', directories: ['d'] });
    expect(presentIn(top)).toEqual(['a/1', 'a/b/2', 'd/e/4', 'root']);
    expect((await session.call('git_sparse_checkout', { action: 'list' })).structuredContent).toEqual({
      kind: 'directories',
      directories: ['a/b', 'd'],
      total: 2,
    });
    await recover(session, more);
    expect(presentIn(top)).toEqual(['a/1', 'a/b/2', 'root']);
    await recover(session, result);
    expect(presentIn(top)).toEqual(ALL);
    expect(await session.text('git_sparse_checkout', { action: 'list' })).toBe('All files are checked out');
    expect(git(top, ['status', '--porcelain'])).toBe('');
    expect(git(top, ['ls-files', '-t'])).not.toMatch(/^S /m);
  });
});

describe('git_sparse_checkout', () => {
  it('keeps changed, untracked and ignored files outside the directories', async () => {
    const top = await project();
    await writeIn(top, 'c/3', 'changed\n');
    await writeIn(top, 'd/e/new', 'new\n');
    await writeIn(top, 'd/e/x.o', 'ignored\n');
    await using session = await connectGit({ directories: [top] });
    const text = await session.text('git_sparse_checkout', set('a'));
    expect(text).toContain('Changed and untracked files outside these directories stay in the work tree:\nc/3');
    expect(await readFile(path.join(top, 'c/3'), 'utf8')).toBe('changed\n');
    expect((await readdir(path.join(top, 'd/e'))).toSorted()).toEqual(['new', 'x.o']);
  });

  it('overwrites no file that was created at the place of a file that is not checked out', async () => {
    const top = await project();
    await using session = await connectGit({ directories: [top] });
    await session.call('git_sparse_checkout', set('a'));
    await writeIn(top, 'c/3', 'mine\n');
    await session.call('git_sparse_checkout', { action: 'disable' });
    expect(await readFile(path.join(top, 'c/3'), 'utf8')).toBe('mine\n');
    expect(presentIn(top)).toEqual(ALL);
    expect(git(top, ['status', '--porcelain'])).toBe(' M c/3\n');
  });

  it('leaves only the files at the top if no directory is named', async () => {
    const top = await project();
    await using session = await connectGit({ directories: [top] });
    await session.call('git_sparse_checkout', set());
    expect(presentIn(top)).toEqual(['root']);
    expect((await session.call('git_sparse_checkout', { action: 'list' })).structuredContent).toMatchObject({ total: 0 });
  });

  it('accepts names with special characters', async () => {
    const names = ['a b', 'q"q', 'back\\slash', 'star*', 'é', '[x]', '-x', '#x', '!x'];
    const files = Object.fromEntries(names.map((name) => [`${name}/file`, 'x\n']));
    const top = await repositoryOf([['Begin', { ...files, 'other/file': 'x\n' }]]);
    await using session = await connectGit({ directories: [top] });
    for (const name of names) {
      await session.call('git_sparse_checkout', set(name));
      expect((await readdir(top)).filter((each) => each !== '.git')).toEqual([name]);
      expect((await session.call('git_sparse_checkout', { action: 'list' })).structuredContent).toMatchObject({
        directories: [name],
      });
    }
  });

  it('rejects directories that HEAD does not contain, and arguments of other actions', async () => {
    const top = await repositoryOf([['Begin', { ...FILES, 'new\nline/x': 'x\n', ' space/x': 'x\n' }]]);
    await using session = await connectGit({ directories: [top] });
    const failing = (args: Readonly<Record<string, unknown>>): Promise<string> => session.fails('git_sparse_checkout', args);
    expect(await failing(set('nowhere'))).toMatch(/^PATH_NOT_FOUND: nowhere does not exist in HEAD/);
    expect(await failing(set('root'))).toMatch(/^PATH_NOT_FOUND: root is not a directory/);
    expect(await failing(set('../x'))).toMatch(/^PATH_OUTSIDE_ROOTS/);
    expect(await failing(set('.'))).toMatch(/^INVALID_ARGUMENTS: the top cannot be chosen/);
    for (const name of ['new\nline', ' space']) expect(await failing(set(name))).toMatch(/^INVALID_PATH: .* white space/);
    expect(await failing(set('.git/hooks'))).toMatch(/^INVALID_PATH/);
    expect(await failing({ action: 'set' })).toMatch(/^INVALID_ARGUMENTS: set requires directories/);
    expect(await failing({ action: 'list', directories: ['a'] })).toMatch(/^INVALID_ARGUMENTS/);
    expect(await failing({ action: 'disable', cursor: '1' })).toMatch(/^INVALID_ARGUMENTS/);
    expect(await failing({ action: 'add', directories: ['a'] })).toMatch(/^CONFLICT: all files are already checked out/);
    expect(presentIn(top)).toEqual(ALL);
    expect(git(top, ['config', '--list', '--local'])).not.toMatch(/sparse/i);
  });

  it('rejects a bare repository and a repository without commits', async () => {
    const top = await project();
    const root = path.dirname(top);
    git(root, ['clone', '--quiet', '--bare', top, 'bare.git']);
    git(root, ['init', '--quiet', 'empty']);
    await using session = await connectGit({ directories: [root] });
    expect(await session.fails('git_sparse_checkout', { ...set('a'), repo_path: 'bare.git' })).toMatch(/^NO_WORK_TREE/);
    expect(await session.fails('git_sparse_checkout', { ...set('a'), repo_path: 'empty' })).toMatch(/^EMPTY_REPO/);
  });

  it('changes no patterns, and returns them when it disables them', async () => {
    const top = await project();
    git(top, ['sparse-checkout', 'set', '--no-cone', '/a/*', '!/a/b/']);
    await using session = await connectGit({ directories: [top] });
    expect((await session.call('git_sparse_checkout', { action: 'list' })).structuredContent).toEqual({
      kind: 'patterns',
      patterns: ['/a/*', '!/a/b/'],
      total: 2,
    });
    for (const action of ['set', 'add'])
      expect(await session.fails('git_sparse_checkout', { action, directories: ['c'] })).toMatch(/^CONFLICT: .* patterns/);
    const { structuredContent } = await session.call('git_sparse_checkout', { action: 'disable' });
    expect(structuredContent).toMatchObject({ kind: 'all', patterns: ['/a/*', '!/a/b/'] });
    expect(presentIn(top)).toEqual(ALL);
    expect(await readFile(path.join(top, '.git/info/sparse-checkout'), 'utf8')).toContain('/a/*');
  });

  it('regards patterns that do not stand for directories as patterns in spite of core.sparseCheckoutCone', async () => {
    const top = await project();
    git(top, ['sparse-checkout', 'set', '--cone', 'a']);
    await writeIn(top, '.git/info/sparse-checkout', 'root\n');
    await using session = await connectGit({ directories: [top] });
    const { structuredContent } = await session.call('git_sparse_checkout', { action: 'list' });
    expect(structuredContent).toEqual({ kind: 'patterns', patterns: ['root'], total: 1 });
  });

  it('changes only one of several work trees', async () => {
    const top = await project();
    const root = path.dirname(top);
    const linked = path.join(root, 'linked');
    git(top, ['worktree', 'add', '--quiet', '--detach', linked]);
    await using session = await connectGit({ directories: [root] });
    await session.call('git_sparse_checkout', { ...set('c'), repo_path: 'linked' });
    expect(presentIn(linked)).toEqual(['c/3', 'root']);
    git(top, ['checkout', '--quiet', '--detach', 'HEAD~1']);
    git(top, ['checkout', '--quiet', 'main']);
    expect(presentIn(top)).toEqual(ALL);
    expect(git(top, ['status', '--porcelain']) + git(linked, ['status', '--porcelain'])).toBe('');
    git(top, ['sparse-checkout', 'set', 'a']);
    await session.call('git_sparse_checkout', { action: 'disable', repo_path: 'linked' });
    expect(presentIn(linked)).toEqual(ALL);
    expect(presentIn(top)).toEqual(['a/1', 'a/b/2', 'root']);
  });

  it('lists many directories page by page', async () => {
    const names = Array.from({ length: 30 }, (_, number) => `directory-${number + 10}`);
    const top = await repositoryOf([['Begin', Object.fromEntries(names.map((name) => [`${name}/x`, 'x\n']))]]);
    await using session = await connectGit({ directories: [top], maxEntries: 20 });
    await session.call('git_sparse_checkout', set(...names));
    const first = await session.call('git_sparse_checkout', { action: 'list' });
    expect(first.structuredContent).toMatchObject({ total: 30, next_cursor: '20' });
    const second = await session.call('git_sparse_checkout', { action: 'list', cursor: '20' });
    expect(second.structuredContent).toMatchObject({ directories: names.slice(20), total: 30 });
  });

  it('stages, commits and switches as usual in a sparse work tree', async () => {
    const top = await project();
    await using session = await connectGit({ directories: [top] });
    await session.call('git_sparse_checkout', set('a'));
    await writeIn(top, 'a/1', 'next\n');
    await writeIn(top, 'd/e/4', 'outside\n');
    await session.call('git_add', { files: ['.'] });
    expect(git(top, ['status', '--porcelain'])).toBe('M  a/1\nM  d/e/4\n');
    await session.call('git_commit', { message: 'Both' });
    expect(git(top, ['show', '--format=', '--name-only', 'HEAD'])).toBe('a/1\nd/e/4\n');
    await session.call('git_checkout', { branch_name: 'HEAD~1', detach: true });
    await session.call('git_checkout', { branch_name: 'main' });
    expect(git(top, ['status', '--porcelain'])).toBe('');
    expect(git(top, ['ls-tree', '-r', '--name-only', 'HEAD']).split('\n')).toHaveLength(7);
    await rm(path.join(top, 'a/b/2'));
    expect(await session.text('git_status')).toContain('a/b/2');
  });
});

describe('a prepared sparse checkout', () => {
  it('runs no filter of the repository when it checks out files', async () => {
    const top = await project();
    const executed = path.join(await temporaryDirectory(), 'executed');
    await using session = await connectGit({ directories: [top] });
    await session.call('git_sparse_checkout', set('a'));
    git(top, ['config', 'filter.planted.smudge', `touch ${executed}; cat`]);
    await writeIn(top, '.git/info/attributes', '* filter=planted\n');
    expect(await session.fails('git_sparse_checkout', { action: 'disable' })).toMatch(/^REPO_UNTRUSTED/);
    expect(existsSync(executed)).toBe(false);
  });
});
