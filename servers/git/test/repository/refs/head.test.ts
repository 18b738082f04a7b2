import { rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { connectGit, git, repositoryOf } from '../../fixtures/temporary.ts';

/** Returns the branch that a commit reports, and the one that git reports. */
async function branches(top: string): Promise<readonly unknown[]> {
  await using session = await connectGit({ directories: [top] });
  const { structuredContent } = await session.call('git_commit', { message: 'Change', allow_empty: true });
  return [(structuredContent as { readonly branch?: string }).branch, git(top, ['branch', '--show-current']).trim()];
}

async function project(): Promise<string> {
  return await repositoryOf([['Begin', { 'a.txt': 'one\n' }]]);
}

describe('the current branch', () => {
  it.each(['topic', 'a/b.c-d_e', 'v1.2.3', 'ünïcode', 'with+plus', 'x@y', 'a-'])('is the one of git: %s', async (name) => {
    const top = await project();
    git(top, ['switch', '--quiet', '--create', name]);
    expect(await branches(top)).toEqual([name, name]);
  });

  it('is absent on a detached HEAD', async () => {
    const top = await project();
    git(top, ['switch', '--quiet', '--detach']);
    expect(await branches(top)).toEqual([undefined, '']);
  });

  it('is the one of the work tree', async () => {
    const top = await project();
    const other = path.join(path.dirname(top), `${path.basename(top)}-other`);
    git(top, ['worktree', 'add', '--quiet', '-b', 'linked', other]);
    await using session = await connectGit({ directories: [path.dirname(top)] });
    const { structuredContent } = await session.call('git_commit', { message: 'Change', allow_empty: true, repo_path: other });
    expect(structuredContent).toMatchObject({ branch: 'linked' });
    await rm(other, { recursive: true });
  });

  it('is the branch to which a symbolic branch refers', async () => {
    const top = await project();
    git(top, ['symbolic-ref', 'refs/heads/alias', 'refs/heads/main']);
    git(top, ['symbolic-ref', 'HEAD', 'refs/heads/alias']);
    const expected = git(top, ['symbolic-ref', 'HEAD']).trim().replace('refs/heads/', '');
    expect((await branches(top))[0]).toBe(expected);
  });

  it('is read by git if HEAD is a link, or written in another way', async () => {
    const top = await project();
    const head = path.join(top, '.git/HEAD');
    await rm(head);
    await symlink('refs/heads/main', head);
    expect((await branches(top))[0]).toBe('main');
    await rm(head);
    await writeFile(head, 'ref:   refs/heads/main\n\n');
    expect((await branches(top))[0]).toBe('main');
  });
});
