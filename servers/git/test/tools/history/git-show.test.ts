import { describe, expect, it } from 'vitest';

import { commitAt, connectGit, emptyRepository, git, repositoryOf, writeIn } from '../../fixtures/temporary.ts';

describe('git_show', () => {
  it('shows a commit, a tag with its commit, a directory and a file', async () => {
    const top = await repositoryOf([
      ['Begin', { 'a.txt': 'one\n', 'docs/b c.bin': '\0\u0001', 'docs/sub/d.txt': '' }],
      ['Extend', { 'a.txt': 'one\ntwo\n' }],
    ]);
    git(top, ['tag', '--annotate', '--message=First release', 'v1', 'HEAD~1']);
    git(top, ['tag', '--annotate', '--message=A file', 'file', 'HEAD:a.txt']);
    await using session = await connectGit({ directories: [top] });

    const commit = await session.call('git_show', { revision: 'HEAD' });
    expect(commit._meta).toMatchObject({ type: 'commit', author: 'Ann', files: [{ path: 'a.txt', added: 1 }] });
    expect(await session.text('git_show', { revision: 'HEAD', mode: 'stat' })).toMatch(/ {4}Extend\n\nmodified a.txt \+1 -0\n/);

    const tag = await session.text('git_show', { revision: 'v1' });
    expect(tag).toMatch(/^object [0-9a-f]{40}\ntype commit\ntag v1\ntagger Ann .*\n\nFirst release\n\ncommit [0-9a-f]{40}\n/);
    expect(tag).toContain('+one');
    expect(await session.text('git_show', { revision: 'file' })).toContain('type blob\ntag file');

    expect(await session.text('git_show', { revision: 'HEAD', path: '.' })).toBe('a.txt 8 bytes\ndocs/');
    expect(await session.text('git_show', { revision: 'HEAD:docs' })).toBe('b c.bin 2 bytes\nsub/');
    expect(await session.text('git_show', { revision: 'HEAD~1', path: 'a.txt' })).toBe('one\n');
    expect(await session.text('git_show', { revision: 'HEAD:a.txt' })).toBe('one\ntwo\n');
    expect(await session.text('git_show', { revision: 'HEAD', path: 'docs/sub/d.txt' })).toBe('[The file is empty.]');

    const binary = await session.call('git_show', { revision: 'v1', path: 'docs/b c.bin' });
    expect(binary.content).toMatchObject([
      { text: expect.stringMatching(/^Binary, 2 bytes: git:\/\/project-[0-9a-f]{8}\/blob\//) },
      {
        type: 'resource_link',
        uri: expect.stringMatching(/^git:\/\/project-[0-9a-f]{8}\/blob\/[0-9a-f]{40}\/docs\/b%20c\.bin$/),
      },
    ]);
    const cut = await session.call('git_show', { revision: 'HEAD', path: 'a.txt', max_bytes: 4 });
    expect(cut._meta).toMatchObject({ type: 'blob', size: 8, truncated: true, binary: false });
    expect(cut.content).toMatchObject([
      { text: expect.stringMatching(/^one\n\[There is more: bytes 0 to 4 of 8 are shown; continue with cursor \w{20}\]$/) },
      { type: 'resource_link' },
    ]);
    const rest = { revision: 'HEAD', path: 'a.txt', cursor: cut._meta?.['next_cursor'] };
    expect(await session.text('git_show', rest)).toBe('two\n');
  });

  it('is cut off at a character boundary, and rejects unknown paths', async () => {
    const top = await repositoryOf([['Begin', { 'a.txt': 'ü'.repeat(10) }]]);
    await using session = await connectGit({ directories: [top] });
    const { content } = await session.call('git_show', { revision: 'HEAD', path: 'a.txt', max_bytes: 5 });
    expect(content[0]).toMatchObject({ text: expect.stringMatching(/^üü\n\[There is more: bytes 0 to 4 of 20/) });
    expect(await session.fails('git_show', { revision: 'HEAD', path: 'b.txt' })).toMatch(/^PATH_NOT_FOUND/);
    expect(await session.fails('git_show', { revision: 'HEAD', path: '../b.txt' })).toMatch(/^PATH_OUTSIDE_ROOTS/);
    await using empty = await connectGit({ directories: [await emptyRepository()] });
    expect(await empty.fails('git_show', { revision: 'HEAD' })).toMatch(/^EMPTY_REPO/);
  });

  it('rejects a max_bytes that is smaller than a character, like git_cat_file', async () => {
    const top = await repositoryOf([['Begin', { 'a.txt': '😀'.repeat(3) }]]);
    await using session = await connectGit({ directories: [top], tools: ['all'] });
    const part = { revision: 'HEAD', path: 'a.txt' };
    expect(await session.fails('git_show', { ...part, max_bytes: 3 })).toMatch(/^INVALID_ARGUMENTS[^]*max_bytes/);
    expect(await session.text('git_show', { ...part, max_bytes: 4 })).toMatch(/^😀\n\[There is more: bytes 0 to 4 of 12/);
    expect(await session.fails('git_cat_file', { object: 'HEAD:a.txt', max_bytes: 0 })).toMatch(
      /^INVALID_ARGUMENTS[^]*max_bytes/,
    );
    const { _meta } = await session.call('git_cat_file', { object: 'HEAD:a.txt', max_bytes: 4 });
    expect(_meta).toMatchObject({ truncated: true, next_offset: 4 });
  });

  it('leaves room for the diff beside a long message, and reports that the message was cut off', async () => {
    const top = await repositoryOf([['Begin', { a: '' }]]);
    await writeIn(top, 'a', 'line\n'.repeat(10_000));
    git(top, ['add', 'a']);
    commitAt(top, `Subject\n\n${'x\n'.repeat(10_000)}`, 1);
    await using session = await connectGit({ directories: [top] });
    const text = await session.text('git_show', { revision: 'HEAD' });
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(20_000);
    expect(text).toMatch(/ {4}x\n {4}x … \(the message has 20009 bytes\)\n\ndiff --git[^]*\+line\n\[The diff was cut off/);
  });

  it('shows the note about a commit, also in a read-only server', async () => {
    const top = await repositoryOf([
      ['Begin', { a: '1\n' }],
      ['More', { a: '2\n' }],
    ]);
    git(top, ['notes', 'add', '--message=Reviewed\n\nTwice'], {});
    git(top, ['notes', '--ref=other', 'add', '--message=Other'], {});
    git(top, ['config', 'notes.displayRef', 'refs/notes/other']);
    await using session = await connectGit({ directories: [top], readOnly: true });
    const text = await session.text('git_show', { revision: 'HEAD' });
    expect(text).toContain('    More\n\nNotes:\n    Reviewed\n\n    Twice\n\ndiff --git');
    expect(text).not.toContain('Other');
    expect(await session.text('git_show', { revision: 'HEAD~1' })).not.toContain('Notes:');
  });

  it('cuts off a long note', async () => {
    const top = await repositoryOf([['Begin', { a: 'line\n'.repeat(10_000) }]]);
    git(top, ['notes', 'add', '--file=-'], { input: 'note\n'.repeat(10_000) });
    await using session = await connectGit({ directories: [top] });
    const text = await session.text('git_show', { revision: 'HEAD' });
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(20_000);
    expect(text).toMatch(/ {4}note … \(the note has 50000 bytes\)\n\ndiff --git[^]*\+line\n\[The diff was cut off/);
  });

  it('cuts off a long tag, reports the cut, and shows the tag on the first page only', async () => {
    const lines = 'line\n'.repeat(10_000);
    const top = await repositoryOf([['Begin', { a: lines }]]);
    git(top, ['commit', '--quiet', '--amend', '--file=-'], { input: `Subject\n\n${'m'.repeat(30_000)}` });
    git(top, ['tag', '--annotate', '--file=-', 'v1'], { input: 't'.repeat(30_000) });
    await using session = await connectGit({ directories: [top] });
    const first = await session.call('git_show', { revision: 'v1' });
    const text = await session.text('git_show', { revision: 'v1' });
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(20_000);
    expect(text).toMatch(/^object [0-9a-f]{40}\ntype commit\ntag v1\ntagger [^]*\n/);
    expect(text).toMatch(
      / … \(the tag has 30\d{3} bytes; git_cat_file shows all of [0-9a-f]{12}\)\n\ncommit [^]*\+line\n\[The diff was cut off/,
    );
    await using small = await connectGit({ directories: [top], tools: ['default'] });
    expect(await small.text('git_show', { revision: 'v1' })).toMatch(/ … \(the tag has 30\d{3} bytes\)\n/);
    const cursor = first._meta?.['next_cursor'];
    const second = await session.call('git_show', { revision: 'v1', cursor });
    expect(second._meta).toMatchObject({ type: 'tag' });
    expect(second.content[0]).toMatchObject({ text: expect.stringMatching(/^commit [^]*\n\n\+line\n/) });
  });

  it('continues a long tag of an object that is not a commit', async () => {
    const top = await repositoryOf([['Begin', { a: 'a\n' }]]);
    git(top, ['tag', '--annotate', '--file=-', 'file', 'HEAD:a'], { input: `${`${'ü'.repeat(99)}\n`.repeat(150)}end\n` });
    await using session = await connectGit({ directories: [top] });
    const first = await session.call('git_show', { revision: 'file' });
    expect(first._meta).toMatchObject({ type: 'tag', truncated: true });
    const cursor = first._meta?.['next_cursor'];
    expect(first.content[0]).toMatchObject({ text: expect.stringContaining(`continue with cursor ${String(cursor)}]`) });
    const rest = await session.text('git_show', { revision: 'file', cursor });
    expect(rest).toMatch(/ü\nend\n?$/);
    const shown = first.content[0]?.type === 'text' ? first.content[0].text.replace(/\[There is more[^\n]*\]$/, '') : '';
    expect(`${shown}${rest}`.trimEnd()).toBe(git(top, ['cat-file', 'tag', 'file']).trimEnd());
  });

  it('continues the diff of a commit at a file whose name is a number, and the content of a blob', async () => {
    const content = 'line\n'.repeat(100);
    const top = await repositoryOf([['Begin', { '1': content, '20260101120000': content, 'b:4': content }]]);
    await using session = await connectGit({ directories: [top] });
    const args = { revision: 'HEAD', max_bytes: 800 };
    const pages: string[] = [];
    for (let cursor: unknown; pages.length < 3;) {
      const { content: blocks, _meta } = await session.call('git_show', { ...args, ...(cursor !== undefined && { cursor }) });
      pages.push(blocks[0]?.type === 'text' ? blocks[0].text : '');
      cursor = _meta?.['next_cursor'];
    }
    expect(pages).toEqual(['1', '20260101120000', 'b:4'].map((name) => expect.stringContaining(`+++ b/${name}\n`)));
    const blob = { revision: 'HEAD:20260101120000', max_bytes: 300 };
    const cut = await session.call('git_show', blob);
    const cursor = cut._meta?.['next_cursor'];
    expect(await session.text('git_show', { ...blob, cursor })).toBe('line\n'.repeat(40));
    expect(await session.fails('git_show', { revision: 'HEAD', cursor })).toMatch(/^INVALID_ARGUMENTS: the cursor is unknown/);
  });

  it('shows an empty commit, and the first commit', async () => {
    const top = await repositoryOf([
      ['Begin', { a: 'x\n' }],
      ['Nothing', {}],
    ]);
    await using session = await connectGit({ directories: [top] });
    expect((await session.call('git_show', { revision: 'HEAD' }))._meta).toMatchObject({ files: [], totals: { files: 0 } });
    expect(await session.text('git_show', { revision: 'HEAD~1' })).toMatch(/ {4}Begin\n\ndiff --git a\/a b\/a\nnew file mode/);
  });
});
