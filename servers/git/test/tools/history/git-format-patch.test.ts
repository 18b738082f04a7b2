import { ERAS } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { commitAt, connectGit, git, repositoryOf, userConfiguration, writeIn } from '../../fixtures/temporary.ts';

function project(): Promise<string> {
  return repositoryOf([
    ['Begin', { 'a.txt': 'one\n' }],
    ['Extend\n\nBecause.', { 'a.txt': 'one\ntwo\n' }],
    ['Größe', { 'b.txt': `${'x'.repeat(99)}\n`.repeat(60) }],
  ]);
}

function plain(top: string, range: string): string {
  const flags = ['--stdout', '--no-signature', '--numbered', '--full-index', '--no-encode-email-headers', '--no-binary'];
  return git(top, ['format-patch', ...flags, range]);
}

describe.each(ERAS)('git_format_patch, on a %s connection,', (era) => {
  it('returns the text of plain git, which git am applies', async () => {
    const top = await project();
    await using session = await connectGit({ directories: [top] }, era);
    const text = await session.text('git_format_patch', { revisions: 'HEAD~2..HEAD' });
    expect(text).toBe(plain(top, 'HEAD~2..HEAD'));
    expect(await session.text('git_format_patch', { revisions: 'HEAD~2' })).toBe(text);
    git(top, ['switch', '--quiet', '--create', 'other', 'HEAD~2']);
    git(top, ['am', '--quiet'], { input: text });
    expect(git(top, ['diff', 'main'])).toBe('');
    expect(git(top, ['log', '-1', '--format=%B', 'HEAD~1'])).toBe('Extend\n\nBecause.\n\n');
  });

  it('returns pages that add up to the whole, and rejects the cursor of another range', async () => {
    const top = await project();
    await using session = await connectGit({ directories: [top], maxBytes: 1024 }, era);
    let text = '';
    let pages = 0;
    for (let cursor: unknown = ''; cursor !== undefined; pages += 1) {
      const args = { revisions: 'HEAD~2', ...(cursor !== '' && { cursor }) };
      const { content, _meta } = await session.call('git_format_patch', args);
      const part = content[0]?.type === 'text' ? content[0].text : '';
      text += part.replace(/\[There is more: [^\n]*\]$/, '');
      cursor = _meta?.['next_cursor'];
      expect(_meta).toMatchObject({ commits: 2, truncated: cursor !== undefined });
    }
    const { _meta: first } = await session.call('git_format_patch', { revisions: 'HEAD~2' });
    const other = { revisions: 'HEAD~1', cursor: first?.['next_cursor'] };
    expect(await session.fails('git_format_patch', other)).toMatch(/have changed/);
    expect(pages).toBeGreaterThan(5);
    expect(text).toBe(plain(top, 'HEAD~2'));
  });

  it('omits merges, and rejects a range without patches', async () => {
    const top = await project();
    git(top, ['switch', '--quiet', '--create', 'topic', 'HEAD~1']);
    await writeIn(top, 'c.txt', 'c\n');
    git(top, ['add', '--all']);
    commitAt(top, 'Topic', 9);
    git(top, ['merge', '--quiet', '--no-edit', 'main']);
    await using session = await connectGit({ directories: [top] }, era);
    expect((await session.call('git_format_patch', { revisions: 'main..topic' }))._meta).toMatchObject({ commits: 1 });
    expect(await session.fails('git_format_patch', { revisions: 'HEAD' })).toMatch(/^INVALID_REVISION: .*no commits/);
    expect((await session.call('git_format_patch', { revisions: 'main...topic' }))._meta).toMatchObject({ commits: 1 });
  });
});

describe('git_format_patch', () => {
  it.each([
    ['a file as the signature', '[format]\n\tsignatureFile = /etc/passwd\n'],
    ['headers', '[format]\n\theaders = "X-Planted: x\\n"\n\tto = planted@example.com\n\tcc = planted@example.com\n'],
    ['a directory for files', '[format]\n\toutputDirectory = planted\n\tcoverLetter = true\n'],
    ['attachments and threads', '[format]\n\tattach = planted\n\tthread = deep\n\tfrom = planted <p@example.com>\n'],
  ])('ignores configuration that names %s', async (_, text) => {
    const top = await project();
    const wanted = plain(top, 'HEAD~2');
    await userConfiguration(text);
    await using session = await connectGit({ directories: [top] });
    const found = await session.text('git_format_patch', { revisions: 'HEAD~2' });
    expect(found).toBe(wanted);
    expect(git(top, ['status', '--porcelain'])).toBe('');
  });
});
