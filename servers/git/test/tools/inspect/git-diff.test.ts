import { rm, symlink } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { commitAt, connectGit, emptyRepository, git, repositoryOf, writeIn } from '../../fixtures/temporary.ts';

const LINES = `${'x'.repeat(99)}\n`.repeat(30);

interface Facts {
  readonly files: readonly { readonly path: string }[];
  readonly next_cursor?: string;
  readonly truncated: boolean;
}

describe('a diff', () => {
  it('reports the kind of change of every file: added, modified, deleted, renamed, binary, type changed', async () => {
    const top = await repositoryOf([
      ['Begin', { 'gone.txt': 'x\n', 'old "name".txt': LINES, 'same.bin': '\0one', 'link.txt': 'x\n', 'mod.txt': '1\n2\n' }],
    ]);
    await rm(path.join(top, 'gone.txt'));
    await rm(path.join(top, 'link.txt'));
    await symlink('mod.txt', path.join(top, 'link.txt'));
    git(top, ['mv', 'old "name".txt', 'new\nname.txt']);
    await writeIn(top, 'new\nname.txt', `${LINES}more\n`);
    await writeIn(top, 'same.bin', '\0two');
    await writeIn(top, 'mod.txt', '1\n3\n4\n');
    await writeIn(top, 'added.txt', 'diff --git a/gone.txt b/gone.txt\n');
    git(top, ['add', '--all']);
    await using session = await connectGit({ directories: [top] });
    const { _meta, content } = await session.call('git_diff_staged');
    const files = [
      { path: 'added.txt', status: 'added', added: 1, removed: 0 },
      { path: 'gone.txt', status: 'deleted', added: 0, removed: 1 },
      { path: 'link.txt', status: 'type changed', added: 1, removed: 1 },
      { path: 'mod.txt', status: 'modified', added: 2, removed: 1 },
      { path: 'new\nname.txt', original_path: 'old "name".txt', status: 'renamed', added: 1, removed: 0 },
      { path: 'same.bin', status: 'modified', binary: true },
    ];
    expect(_meta).toMatchObject({ files, totals: { files: 6, added: 5, removed: 3 }, truncated: false });
    expect(content[0]).toMatchObject({ text: git(top, ['diff', '--cached']) });
    expect((await session.call('git_diff', { target: 'HEAD', mode: 'stat' }))._meta).toMatchObject({ files });
    expect(await session.text('git_diff', { target: 'HEAD', mode: 'stat' })).toBe(
      'added added.txt +1 -0\ndeleted gone.txt +0 -1\ntype changed link.txt +1 -1\nmodified mod.txt +2 -1\n' +
        String.raw`renamed "new\012name.txt" (was old "name".txt) +1 -0` +
        '\nmodified same.bin binary\n6 files, 5 lines added, 3 removed',
    );
    expect(await session.text('git_diff', { target: 'HEAD', mode: 'names', paths: ['mod.txt'] })).toBe('modified mod.txt');
  });

  it('is returned in pages of whole files, and each page lists the changes of the rest', async () => {
    const top = await emptyRepository();
    for (const name of ['a', 'b', 'c', 'd']) await writeIn(top, name, LINES);
    git(top, ['add', '--all']);
    await using session = await connectGit({ directories: [top] });
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const { _meta, content } = await session.call('git_diff_staged', { max_bytes: 7000, ...(cursor && { cursor }) });
      const facts = _meta as unknown as Facts;
      expect(facts.files[0]).toMatchObject({ path: cursor === undefined ? 'a' : 'c', status: 'added', added: 30 });
      seen.push(content[0]?.type === 'text' ? content[0].text.replace(/\[The diff was cut off[^\n]*\]$/, '') : '');
      cursor = facts.next_cursor;
      expect(facts.truncated).toBe(cursor !== undefined);
    } while (cursor !== undefined);
    expect(seen).toHaveLength(2);
    expect(seen.join('')).toBe(git(top, ['diff', '--cached']));
    expect(await session.fails('git_diff_staged', { cursor: 'nowhere' })).toMatch(/^INVALID_ARGUMENTS: the cursor is unknown/);
  });

  it('is truncated within a large file, continues there, and links to the whole diff', async () => {
    const top = await repositoryOf([
      ['Begin', { a: '', b: '' }],
      ['Next', { a: LINES, b: 'b\n' }],
    ]);
    await using session = await connectGit({ directories: [top] });
    const { _meta, content } = await session.call('git_diff', { target: 'HEAD~1..HEAD', max_bytes: 500 });
    expect(_meta).toMatchObject({
      cut: 'a',
      files: [
        { path: 'a', added: 30 },
        { path: 'b', added: 1 },
      ],
    });
    expect(content[0]).toMatchObject({
      text: expect.stringMatching(/x{99}\n\[The diff was cut off at the limit within a; .*\]$/),
    });
    const [from, to] = git(top, ['rev-parse', 'HEAD~1', 'HEAD']).trim().split('\n');
    expect(content[1]).toMatchObject({
      type: 'resource_link',
      uri: expect.stringMatching(new RegExp(`^git://project-[0-9a-f]{8}/diff/${from}\\.\\.${to}$`)),
    });
    const next = await session.call('git_diff', { target: 'HEAD~1..HEAD', max_bytes: 500, cursor: _meta?.['next_cursor'] });
    expect(next).toMatchObject({ _meta: { cut: 'a' }, content: [{ text: expect.stringMatching(/^\+x{99}\n/) }, {}] });
  });

  it('omits white space changes and generated files, and names these files', async () => {
    const top = await repositoryOf([
      ['Begin', { '.gitattributes': 'gen/* linguist-generated\nyarn.lock -linguist-generated\n', 'a.txt': 'a b\n' }],
    ]);
    for (const name of ['gen/code.ts', 'web/package-lock.json', 'yarn.lock', 'z.txt']) await writeIn(top, name, 'x\n');
    git(top, ['add', '--all']);
    await using session = await connectGit({ directories: [top] });
    const { _meta, content } = await session.call('git_diff_staged', { exclude_generated: true });
    expect(_meta).toMatchObject({
      files: [
        { path: 'gen/code.ts', excluded: true },
        { path: 'web/package-lock.json', excluded: true },
        { path: 'yarn.lock' },
        { path: 'z.txt' },
      ],
      truncated: false,
    });
    expect(content).toMatchObject([
      {
        text: expect.stringMatching(
          /^diff --git a\/yarn\.lock.*\n\[Generated files, not shown: added gen\/code\.ts \+1 -0, added web\/package-lock\.json \+1 -0\]$/s,
        ),
      },
    ]);
    await writeIn(top, 'a.txt', 'a    b\n');
    expect(await session.text('git_diff_unstaged', { ignore_whitespace: true })).toBe('No unstaged changes');
    expect(await session.text('git_diff_unstaged')).toContain('+a    b');
  });

  it('starts at a base or at a merge base', async () => {
    const top = await repositoryOf([['Begin', { a: '1\n' }]]);
    git(top, ['switch', '--quiet', '--create', 'side']);
    await writeIn(top, 's', 'side\n');
    git(top, ['add', 's']);
    commitAt(top, 'Side', 1);
    git(top, ['switch', '--quiet', 'main']);
    await writeIn(top, 'a', '2\n');
    git(top, ['add', 'a']);
    commitAt(top, 'Main', 2);
    const names = { mode: 'names' };
    await using session = await connectGit({ directories: [top] });
    expect(await session.text('git_diff', { ...names, target: 'side', base: 'main' })).toBe('modified a\nadded s');
    expect(await session.text('git_diff', { ...names, target: 'side', base: 'main', merge_base: true })).toBe('added s');
    expect(await session.text('git_diff', { ...names, target: 'main...side' })).toBe('added s');
    expect(await session.text('git_diff', { ...names, target: 'side' })).toBe('modified a\ndeleted s');
    expect(await session.text('git_diff', { ...names, target: 'side', merge_base: true })).toBe('modified a');
    expect(await session.text('git_diff_staged', { ...names, base: 'side' })).toBe('modified a\ndeleted s');
    expect(await session.text('git_diff_staged', { ...names, base: 'side', merge_base: true })).toBe('modified a');
    git(top, ['checkout', '--quiet', '--orphan', 'other']);
    commitAt(top, 'Other', 3);
    expect(await session.fails('git_diff', { target: 'main...other' })).toMatch(/^NO_MERGE_BASE/);
    expect(await session.fails('git_diff', { target: 'main..other', base: 'side' })).toMatch(/^INVALID_ARGUMENTS: the range/);
  });

  it('shows conflicts and other changes', async () => {
    const top = await repositoryOf([['Begin', { a: '1\n', z: 'z\n' }]]);
    git(top, ['switch', '--quiet', '--create', 'side']);
    await writeIn(top, 'a', 'side\n');
    git(top, ['commit', '--quiet', '--all', '--message=Side']);
    git(top, ['switch', '--quiet', 'main']);
    await writeIn(top, 'a', 'main\n');
    git(top, ['commit', '--quiet', '--all', '--message=Main']);
    expect(() => git(top, ['merge', 'side'])).toThrow('Command failed');
    await writeIn(top, 'z', 'changed\n');
    await using session = await connectGit({ directories: [top] });
    const text = await session.text('git_diff_unstaged');
    expect(text).toBe(git(top, ['diff']));
    expect(text).toContain('++<<<<<<< HEAD');
    expect(text).toContain('+changed');
    expect(await session.text('git_diff_staged')).toContain('* Unmerged path a');
    expect((await session.call('git_diff_staged'))._meta).toMatchObject({ files: [{ path: 'a', status: 'conflict' }] });
    git(top, ['commit', '--quiet', '--all', '--message=Merged']);
    const merge = await session.call('git_show', { revision: 'HEAD' });
    expect(merge.content[0]).toMatchObject({ text: expect.stringMatching(/\nMerge: {2}[0-9a-f]{40} [0-9a-f]{40}\n/) });
    expect(merge.content[0]).toMatchObject({ text: expect.stringContaining('diff --cc a\n') });
  });
});
