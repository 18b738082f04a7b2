import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { commitAt, connectGit, git, repositoryOf, temporaryDirectory, writeIn } from './fixtures/temporary.ts';

const LONG = `${'x'.repeat(99)}\n`.repeat(100);

describe('the limit', () => {
  it('--max-bytes cuts a diff at a line ending, and reports the cut', async () => {
    const top = await repositoryOf([['Begin', { 'a.txt': '' }]]);
    await writeIn(top, 'a.txt', LONG);
    await using session = await connectGit({ directories: [top], maxBytes: 1024 });
    const { content, _meta } = await session.call('git_diff_unstaged');
    expect(_meta).toMatchObject({ truncated: true });
    expect(content).toMatchObject([
      {
        text: expect.stringMatching(
          /x{99}\n\[The diff was cut off at the limit within a\.txt; .* Continue with cursor \w{20}, or use paths\.\]$/,
        ),
      },
      { type: 'resource_link' },
    ]);
  });

  it.each(['stat', 'names'])('--max-bytes does not count a patch that is not shown: %s', async (mode) => {
    const top = await repositoryOf([['Begin', { 'a.txt': '', 'b.txt': '' }]]);
    for (const name of ['a.txt', 'b.txt']) await writeIn(top, name, LONG);
    await using session = await connectGit({ directories: [top], maxBytes: 1024 });
    const { _meta, content } = await session.call('git_diff_unstaged', { mode });
    expect(_meta).toMatchObject({ files: [{ path: 'a.txt' }, { path: 'b.txt' }], truncated: false });
    expect(content).toHaveLength(1);
  });

  it('--max-bytes stops git when an endless diff reaches the limit', async () => {
    const top = await repositoryOf([['Begin', { 'a.txt': '' }]]);
    await writeIn(top, 'a.txt', LONG.repeat(2000));
    await using session = await connectGit({ directories: [top], maxBytes: 1024 });
    const { content } = await session.call('git_diff', { target: 'HEAD' });
    expect(JSON.stringify(content).length).toBeLessThan(2000);
  });

  it('--max-bytes cuts one endless line', async () => {
    const top = await repositoryOf([['Begin', { 'a.txt': '' }]]);
    await writeIn(top, 'a.txt', 'x'.repeat(1_000_000));
    await using session = await connectGit({ directories: [top], maxBytes: 1024 });
    expect((await session.call('git_diff_unstaged'))._meta).toMatchObject({ truncated: true });
  });

  it('--max-bytes ends a page of the log early, and the next page continues there', async () => {
    const top = await repositoryOf([['0', { a: 'x' }]]);
    for (let number = 1; number < 6; number += 1) commitAt(top, `${number} ${'m'.repeat(300)}`, number);
    await using session = await connectGit({ directories: [top], maxBytes: 1024 });
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const { commits, next_cursor } = (
        await session.call('git_log', { max_count: 100, ...(cursor !== undefined && { cursor }) })
      ).structuredContent as { commits: readonly { message: string }[]; next_cursor?: string };
      seen.push(...commits.map(({ message }) => message.charAt(0)));
      cursor = next_cursor;
    } while (cursor !== undefined);
    expect(seen).toEqual(['5', '4', '3', '2', '1', '0']);
  });

  it('--max-bytes cuts a single message that is longer, and reports the cut', async () => {
    const top = await repositoryOf([['0', { a: 'x' }]]);
    commitAt(top, 'm'.repeat(5000), 1);
    await using session = await connectGit({ directories: [top], maxBytes: 1024 });
    const { structuredContent } = await session.call('git_log');
    expect(structuredContent).toMatchObject({ commits: [{ message: expect.stringMatching(/^m{500,1000}$/) }], truncated: true });
  });

  it('--max-bytes limits a blame, but not the size of its file', async () => {
    const lines = Array.from({ length: 1000 }, (_, line) => `line ${line + 1}\n`);
    const top = await repositoryOf([['Begin', { 'a.txt': lines.join(''), 'b.txt': `${'x'.repeat(2000)}\nend` }]]);
    await using session = await connectGit({ directories: [top], maxBytes: 1024 });
    const { _meta: first, content } = await session.call('git_blame', { path: 'a.txt' });
    expect(JSON.stringify(content).length).toBeLessThan(1200);
    expect(first).toMatchObject({ total_lines: 1000, truncated: true, hunks: [{ start_line: 1 }] });
    const late = { path: 'a.txt', start_line: 998, end_line: 999 };
    expect(await session.text('git_blame', late)).toMatch(/: Begin\n998\tline 998\n999\tline 999$/);
    expect(await session.fails('git_blame', { path: 'b.txt' })).toMatch(/^TOO_LARGE: line 1 of "b.txt" has more than 768 bytes/);
    expect(await session.text('git_blame', { path: 'b.txt', start_line: 2 })).toMatch(/: Begin\n2\tend$/);
  });

  it('--max-entries limits a status and counts all entries', async () => {
    const top = await repositoryOf([['Begin', { a: 'x' }]]);
    for (const name of ['b', 'c', 'd']) await writeIn(top, name, 'x');
    await using session = await connectGit({ directories: [top], maxEntries: 2 });
    const { structuredContent, content } = await session.call('git_status');
    expect(structuredContent).toMatchObject({
      entries: { length: 2 },
      counts: { untracked: 3 },
      truncated: true,
      next_cursor: '2',
    });
    expect(content[0]).toMatchObject({
      text: expect.stringMatching(
        /… not all entries are shown; the totals are 0 staged, 0 unstaged, 3 untracked, 0 conflicts; continue with cursor 2$/,
      ),
    });
    expect((await session.call('git_status', { cursor: '2' })).structuredContent).toMatchObject({ entries: [{ path: 'd' }] });
    expect(await session.fails('git_status', { cursor: 'x' })).toMatch(/^INVALID_ARGUMENTS: the cursor/);
  });

  it('--max-entries limits a list of branches, a blame and a list of staged files', async () => {
    const top = await repositoryOf([['Begin', { a: '1\n2\n3\n' }]]);
    for (const name of ['b', 'c', 'd']) {
      git(top, ['branch', name]);
      await writeIn(top, name, 'x');
    }
    await using session = await connectGit({ directories: [top], maxEntries: 2 });
    expect((await session.call('git_branch')).structuredContent).toMatchObject({
      branches: { length: 2 },
      total: 4,
      truncated: true,
    });
    expect(await session.text('git_blame', { path: 'a' })).toMatch(/2\t2\n\[Continue with start_line 3 of 3\.\]$/);
    expect(await session.text('git_blame', { path: 'a', start_line: 3 })).toMatch(/3\t3$/);
    expect((await session.call('git_add', { files: ['.'] })).structuredContent).toMatchObject({
      staged: ['b', 'c'],
      truncated: true,
    });
  });

  it('--max-commits bounds a page', async () => {
    const top = await repositoryOf([['0', { a: 'x' }]]);
    for (let number = 1; number < 4; number += 1) commitAt(top, String(number), number);
    await using session = await connectGit({ directories: [top], maxCommits: 2 });
    const { structuredContent } = await session.call('git_log', { max_count: 1000 });
    expect(structuredContent).toMatchObject({ commits: [{ message: '3' }, { message: '2' }], next_cursor: expect.any(String) });
  });

  it.each([
    ['git_status', { untracked: 'all' }, 'entries'],
    ['git_branch', {}, 'branches'],
    ['git_tag_list', {}, 'tags'],
    ['git_ls_files', { kind: 'untracked' }, 'files'],
    ['git_grep', { pattern: 'needle' }, 'files'],
    ['git_reflog', { max_count: 1000 }, 'entries'],
    ['git_log', { max_count: 1000 }, 'commits'],
    ['git_diff', { target: 'HEAD~40', mode: 'names' }, 'files'],
    ['git_show', { revision: 'HEAD', path: '.' }, 'entries'],
  ])('--max-bytes bounds each page of %s, and the pages show all', async (tool, args, key) => {
    const names = Array.from({ length: 40 }, (_, number) => `${'n'.repeat(30)}${String(number).padStart(2, '0')}`);
    const top = await repositoryOf([['Begin', {}], ...names.map((name) => [name, { [name]: 'needle\n' }] as const)]);
    for (const name of names) {
      git(top, ['branch', name]);
      git(top, ['tag', name]);
      await writeIn(top, `u${name}`, 'x');
    }
    await using session = await connectGit({ directories: [top], maxBytes: 1024, tools: ['all'] });
    const seen: unknown[] = [];
    let pages = 0;
    for (let cursor: unknown = ''; cursor !== undefined; pages += 1) {
      const { structuredContent, content, _meta } = await session.call(tool, { ...args, ...(cursor !== '' && { cursor }) });
      const facts = { ...(structuredContent ?? _meta) } as Readonly<Record<string, unknown>>;
      const [text] = content.map((block) => (block.type === 'text' ? block.text : ''));
      expect(Buffer.byteLength(text ?? '')).toBeLessThanOrEqual(1024);
      expect(Buffer.byteLength(JSON.stringify(structuredContent) ?? '')).toBeLessThanOrEqual(1024);
      seen.push(...(facts[key] as unknown[]));
      cursor = facts['next_cursor'];
    }
    expect(pages).toBeGreaterThan(1);
    const all = tool === 'git_log' || tool === 'git_reflog' || tool === 'git_branch' ? 41 : 40;
    expect(new Set(seen.map((one) => JSON.stringify(one))).size).toBe(all);
    expect(seen).toHaveLength(all);
  });

  it.each([
    ['git_list_repositories', 'repositories'],
    ['git_worktree_list', 'worktrees'],
  ])('--max-bytes bounds each page of %s', async (tool, key) => {
    const root = await temporaryDirectory();
    const top = await repositoryOf([['Begin', { a: 'x' }]], path.join(root, 'project'));
    for (let number = 0; number < 12; number += 1)
      git(top, ['worktree', 'add', '--quiet', '--detach', path.join(root, `${'w'.repeat(40)}${number}`)]);
    await using session = await connectGit({ directories: [root], maxBytes: 1024, tools: ['all'] });
    const seen: unknown[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined;) {
      const args = { ...(tool === 'git_worktree_list' && { repo_path: top }), ...(cursor !== '' && { cursor }) };
      const { structuredContent = {}, content } = await session.call(tool, args);
      expect(Buffer.byteLength(JSON.stringify(structuredContent))).toBeLessThanOrEqual(1024);
      const page = structuredContent as Readonly<Record<string, readonly unknown[]>> & { readonly next_cursor?: string };
      seen.push(...(page[key] ?? []));
      cursor = page.next_cursor;
      const more = cursor === undefined ? '' : `continue with cursor ${cursor}`;
      expect(content[0]).toMatchObject({ text: expect.stringContaining(more) });
    }
    expect(new Set(seen.map((one) => JSON.stringify(one))).size).toBe(13);
  });

  it('--max-bytes limits the parts of a file and of a diff, and the parts add up to the whole', async () => {
    const lines = Array.from({ length: 400 }, (_, number) => `line ü ${number}\n`).join('');
    const top = await repositoryOf([
      ['Begin', { a: '', b: '' }],
      ['Next', { a: `${lines}${'ü'.repeat(2000)}\n`, b: 'b\n' }],
    ]);
    await using session = await connectGit({ directories: [top], maxBytes: 1024 });
    const read = async (tool: string, args: object): Promise<string> => {
      let text = '';
      for (let cursor: unknown = ''; cursor !== undefined;) {
        const { content, _meta } = await session.call(tool, { ...args, ...(cursor !== '' && { cursor }) });
        const part = content[0]?.type === 'text' ? content[0].text : '';
        expect(Buffer.byteLength(part)).toBeLessThanOrEqual(1024);
        cursor = _meta?.['next_cursor'];
        // If only a part of a line is shown, the line break before the note is not part of the line, so the test removes it.
        text += cursor === undefined ? part : part.replace(/(?:(?<=ü)\n)?\[(?:There is more|The diff was cut off)[^\n]*\]$/, '');
      }
      return text;
    };
    expect(await read('git_show', { revision: 'HEAD', path: 'a' })).toBe(`${lines}${'ü'.repeat(2000)}\n`);
    expect(await read('git_diff', { target: 'HEAD~1..HEAD' })).toBe(git(top, ['diff', 'HEAD~1', 'HEAD']));
  });
});
