import path from 'node:path';

import { ERAS } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { connectGit, git, idOf, repositoryOf, writeIn } from '../../fixtures/temporary.ts';

describe.each(ERAS)('a resource on a %s connection', (era) => {
  it('returns the content of a file in a commit', async () => {
    const top = await repositoryOf([
      ['Begin', { 'docs/ü b.md': '# One\n' }],
      ['Extend', { 'docs/ü b.md': '# Two\n' }],
    ]);
    git(top, ['branch', 'feature/x', 'HEAD~1']);
    await using session = await connectGit({ directories: [top] }, era);
    const id = await idOf(session);
    for (const [rev, text] of [
      ['main', '# Two\n'],
      ['feature%2Fx', '# One\n'],
      [git(top, ['rev-parse', 'HEAD~1']).trim(), '# One\n'],
    ]) {
      const uri = `git://${id}/blob/${rev}/docs/${encodeURIComponent('ü b.md')}`;
      expect((await session.client.readResource({ uri })).contents).toEqual([{ uri, mimeType: 'text/plain', text }]);
    }
  });

  it('is found in a repository that was opened by path', async () => {
    const top = await repositoryOf([['Begin', { a: 'x' }]]);
    const nested = await repositoryOf([['Nested', { b: 'nested' }]], path.join(top, 'very/deep/inside/nested'));
    await using session = await connectGit({ directories: [top] }, era);
    const { structuredContent } = await session.call('git_status', { repo_path: nested });
    const { repository } = structuredContent as { readonly repository: string };
    const { contents } = await session.client.readResource({ uri: `git://${repository}/blob/HEAD/b` });
    expect(contents).toMatchObject([{ text: 'nested' }]);
  });

  it('returns binary content as base64', async () => {
    const top = await repositoryOf([['Begin', { 'a.bin': 'a\0b' }]]);
    await using session = await connectGit({ directories: [top] }, era);
    const { contents } = await session.client.readResource({ uri: `git://${await idOf(session)}/blob/HEAD/a.bin` });
    expect(contents).toMatchObject([{ blob: Buffer.from('a\0b').toString('base64') }]);
  });

  it('returns the status', async () => {
    const top = await repositoryOf([['Begin', { a: 'x' }]]);
    await writeIn(top, 'b', 'x');
    await using session = await connectGit({ directories: [top] }, era);
    const id = await idOf(session);
    const { contents } = await session.client.readResource({ uri: `git://${id}/status` });
    expect(contents).toMatchObject([{ mimeType: 'application/json', text: expect.stringContaining(`"repository":"${id}"`) }]);
  });

  it.each([
    ['another repository', 'other-01234567', 'HEAD/a'],
    ['an unknown revision', undefined, 'nowhere/a'],
    ['an option as revision', undefined, '--output=x/a'],
    ['an unknown path', undefined, 'HEAD/b'],
    ['a directory', undefined, 'HEAD/d'],
    ['a path outside', undefined, 'HEAD/..%2F..%2Fetc/passwd'],
    ['a path with NUL', undefined, 'HEAD/a%00'],
    ['the git directory', undefined, 'HEAD/.git/config'],
  ])('is not found: %s', async (_, repo, rest) => {
    const top = await repositoryOf([['Begin', { a: 'x', 'd/e': 'x' }]]);
    await using session = await connectGit({ directories: [top] }, era);
    const uri = `git://${repo ?? (await idOf(session))}/blob/${rest}`;
    await expect(session.client.readResource({ uri })).rejects.toMatchObject({ code: -32_602 });
  });

  it('is rejected if it is larger than --max-resource-bytes', async () => {
    const top = await repositoryOf([['Begin', { a: 'x'.repeat(1025) }]]);
    await using session = await connectGit({ directories: [top], maxResourceBytes: 1024 }, era);
    const read = session.client.readResource({ uri: `git://${await idOf(session)}/blob/HEAD/a` });
    await expect(read).rejects.toMatchObject({ data: { code: 'TOO_LARGE' } });
  });
});
