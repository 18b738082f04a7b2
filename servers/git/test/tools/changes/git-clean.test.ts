import { existsSync } from 'node:fs';
import { mkdir, readFile, symlink } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { CONFIRMS, recover } from '../../fixtures/confirming.ts';
import { connectGit, git, repositoryOf, writeIn } from '../../fixtures/temporary.ts';

function project(): Promise<string> {
  return repositoryOf([
    ['Begin', { 'a.txt': 'one\n', 'b.txt': 'b\n', 'd/c.txt': 'c\n' }],
    ['Extend', { 'a.txt': 'one\ntwo\n' }],
  ]);
}

function read(top: string, name: string): Promise<string> {
  return readFile(path.join(top, name), 'utf8');
}

describe('git_clean', () => {
  async function littered(): Promise<string> {
    const top = await project();
    await writeIn(top, '.gitignore', '*.log\n');
    git(top, ['add', '.']);
    git(top, ['commit', '--quiet', '--message=Ignore']);
    await writeIn(top, 'loose.txt', 'loose\n');
    await writeIn(top, 'dir/deep/x.txt', 'x\n');
    await writeIn(top, 'debug.log', 'secret');
    await repositoryOf([['Nested', { n: 'x' }]], path.join(top, 'nested'));
    git(top, ['init', '--quiet', '--bare', 'bare']);
    return top;
  }

  it('deletes untracked files at the top of the work tree, and restores them', async () => {
    const top = await littered();
    await using session = await connectGit({ directories: [top] }, 'modern', CONFIRMS);
    const { structuredContent } = await session.call('git_clean', { repo_path: top });
    expect(structuredContent).toMatchObject({ deleted: ['loose.txt'], total: 1, skipped: [] });
    expect(existsSync(path.join(top, 'dir/deep/x.txt'))).toBe(true);
    await recover(session, { structuredContent });
    expect(await read(top, 'loose.txt')).toBe('loose\n');
    expect(await read(top, 'a.txt')).toBe('one\ntwo\n');
  });

  it('deletes directories and ignored files only on request, and never a repository', async () => {
    const top = await littered();
    await using session = await connectGit({ directories: [top] }, 'modern', CONFIRMS);
    const { structuredContent } = await session.call('git_clean', { repo_path: top, directories: true, ignored: true });
    expect(session.elicited.all[0]?.message).toContain('- debug.log (ignored: cannot be recovered)');
    expect(structuredContent).toMatchObject({
      deleted: ['dir/deep/x.txt', 'loose.txt', 'debug.log'],
      skipped: ['nested/', 'bare/'],
    });
    expect(existsSync(path.join(top, 'dir'))).toBe(false);
    expect(existsSync(path.join(top, 'nested/n'))).toBe(true);
    expect(existsSync(path.join(top, 'bare/HEAD'))).toBe(true);
    const kept = git(top, ['for-each-ref', '--format=%(objectname)', 'refs/mcp-backup']).trim();
    expect(git(top, ['ls-tree', '-r', '--name-only', kept])).toBe('dir/deep/x.txt\nloose.txt\n');
  });

  it('does not follow links', async () => {
    const top = await littered();
    const outside = path.join(path.dirname(top), 'outside');
    await mkdir(outside);
    await writeIn(outside, 'theirs.txt', 'x');
    await symlink(outside, path.join(top, 'link'));
    await using session = await connectGit({ directories: [top] }, 'modern', CONFIRMS);
    await session.call('git_clean', { repo_path: top, directories: true });
    expect(existsSync(path.join(outside, 'theirs.txt'))).toBe(true);
    expect(existsSync(path.join(top, 'link'))).toBe(false);
  });

  it('reports that large files cannot be restored', async () => {
    const top = await project();
    await writeIn(top, 'large.bin', 'x'.repeat(17_000_000));
    await using session = await connectGit({ directories: [top] });
    expect(await session.fails('git_clean')).toMatch(/- large\.bin\nThis cannot be undone\./);
    expect(await session.text('git_clean', { paths: ['d'] })).toBe('Nothing to delete');
  });
});
