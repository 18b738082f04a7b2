import { existsSync } from 'node:fs';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { CONFIRMS, recover } from '../../fixtures/confirming.ts';
import { connectGit, git, writeIn } from '../../fixtures/temporary.ts';
import { project, read } from '../../fixtures/three-files.ts';

describe('git_rm', () => {
  it('removes files and directories, or only stops tracking them', async () => {
    const top = await project();
    await using session = await connectGit({ directories: [top] });
    expect(await session.fails('git_rm', { paths: ['d'] })).toMatch(/^INVALID_ARGUMENTS: "d" is a directory/);
    expect(await session.text('git_rm', { paths: ['d', 'b.txt'], recursive: true })).toBe('removed b.txt\nremoved d/c.txt');
    expect(existsSync(path.join(top, 'd'))).toBe(false);
    expect(await session.text('git_rm', { paths: ['a.txt'], cached: true })).toBe('removed a.txt');
    expect(git(top, ['status', '--porcelain'])).toBe('D  a.txt\nD  b.txt\nD  d/c.txt\n?? a.txt\n');
    expect(await session.fails('git_rm', { paths: ['missing'] })).toMatch(/^PATH_NOT_FOUND/);
  });

  it('requests confirmation before changes are removed with the file, and keeps the changes', async () => {
    const top = await project();
    await writeIn(top, 'a.txt', 'mine\n');
    await using session = await connectGit({ directories: [top] }, 'modern', CONFIRMS);
    const { structuredContent } = await session.call('git_rm', { paths: ['a.txt'] });
    expect(session.elicited.all[0]?.message).toContain('- a.txt (modified)');
    await recover(session, { structuredContent });
    expect(await read(top, 'a.txt')).toBe('mine\n');
  });
});
