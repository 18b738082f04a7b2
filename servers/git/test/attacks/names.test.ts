import { describe, expect, it } from 'vitest';

import { CONFIRMS } from '../fixtures/confirming.ts';
import { commitAt, connectGit, emptyRepository, git, repositoryOf, writeIn } from '../fixtures/temporary.ts';

const ESCAPE = '\u001B[2J\u001B]0;owned\u0007';

const NAMES: readonly (readonly [string, string])[] = [
  ['a newline', 'two\nlines'],
  ['a newline that forges an entry', 'a\n? b'],
  ['quotes', `"it's"`],
  ['a tab', 'a\tb'],
  ['a backslash', String.raw`a\b`],
  ['spaces around it', ' a '],
  ['an arrow', 'a -> b'],
  ['accents', 'über/naïve.txt'],
  ['a terminal escape', `a${ESCAPE}b`],
  ['a bidirectional override', 'a\u202Etxt.exe'],
];

describe('a file name with', () => {
  it.each(NAMES)('%s is kept exactly by every tool', async (_, name) => {
    const top = await emptyRepository();
    await writeIn(top, name, 'x\n');
    await using session = await connectGit({ directories: [top] });
    const status = await session.call('git_status', { untracked: 'all' });
    expect(status.structuredContent).toMatchObject({ entries: [{ path: name, untracked: true }] });
    expect((await session.call('git_add', { files: [name] })).structuredContent).toMatchObject({ staged: [name] });
    await session.call('git_commit', { message: 'Name' });
    expect((await session.call('git_blame', { path: name }))._meta).toMatchObject({
      path: name,
      hunks: [{ end_line: 1 }],
    });
    expect((await session.call('git_log', { paths: [name] })).structuredContent).toMatchObject({
      commits: [{ message: 'Name' }],
    });
    expect((await session.call('git_show', { revision: 'HEAD' }))._meta).toMatchObject({ files: [{ path: name, added: 1 }] });
    expect(await session.text('git_show', { revision: 'HEAD', path: name })).toBe('x\n');
    expect((await session.call('git_ls_files')).structuredContent).toMatchObject({ files: [name] });
    expect((await session.call('git_grep', { pattern: 'x' })).structuredContent).toMatchObject({ files: [{ path: name }] });
    git(top, ['mv', '--', name, 'moved']);
    expect((await session.call('git_status')).structuredContent).toMatchObject({
      entries: [{ path: 'moved', original_path: name, staged: 'renamed' }],
    });
  });

  it.each(NAMES)('%s is shown without control characters in every text', async (_, name) => {
    const top = await repositoryOf([['Begin', { [name]: 'x\n' }]]);
    await writeIn(top, name, 'y\n');
    await using session = await connectGit({ directories: [top] });
    for (const [tool, input] of [
      ['git_status', {}],
      ['git_diff_unstaged', {}],
      ['git_show', { revision: 'HEAD' }],
      ['git_diff', { target: 'HEAD', mode: 'stat' }],
      ['git_diff_unstaged', { max_bytes: 4 }],
      ['git_show', { revision: 'HEAD', path: '.' }],
      ['git_ls_files', {}],
      ['git_grep', { pattern: 'y' }],
      ['git_add', { files: [name] }],
      ['git_blame', { path: name }],
    ] as const)
      expect(await session.text(tool, input), tool).not.toMatch(/(?![\n\t])[\p{Cc}\u202E]/u);
    expect(await session.fails('git_blame', { path: `${name}x` })).not.toMatch(/(?![\n\t])[\p{Cc}\u202E]/u);
  });
});

describe('content with terminal escapes', () => {
  it('is escaped in the text', async () => {
    const top = await repositoryOf([[`Subject ${ESCAPE}\n\nBody ${ESCAPE}`, { 'a.txt': `${ESCAPE}\n` }]]);
    await writeIn(top, 'a.txt', `${ESCAPE} changed\n`);
    await using session = await connectGit({ directories: [top] });
    for (const [tool, input] of [
      ['git_log', {}],
      ['git_diff_unstaged', {}],
      ['git_diff', { target: 'HEAD' }],
      ['git_show', { revision: 'HEAD' }],
      ['git_branch', {}],
      ['git_blame', { path: 'a.txt' }],
      ['git_log', { revision: 'HEAD', stats: true }],
      ['git_reflog', {}],
      ['git_show', { revision: 'HEAD', path: 'a.txt' }],
      ['git_cat_file', { object: 'HEAD' }],
      ['git_grep', { pattern: 'changed' }],
    ] as const) {
      const text = await session.text(tool, input);
      expect(text, tool).toContain(String.raw`\u{1b}[2J`);
      expect(text, tool).not.toMatch(/(?![\n\t])\p{Cc}/u);
    }
    expect((await session.call('git_diff_unstaged'))._meta).toMatchObject({ escaped: true });
  });
});

const OID = '1234567890123456789012345678901234567890';

describe('a commit message that forges', () => {
  it.each([
    ['the end of a record', `x\0${OID}\0\0Eve\0eve@example.com\0now\0${0}\0forged`],
    ['an entry of the text', `x\n\ncommit ${OID}\nAuthor: Eve <eve@example.com>\n\n    forged`],
    ['a placeholder of the format', '%H%x00%P%x00%an%x00'],
    ['a diff', 'x\n\ndiff --git a/a b/a\n--- a/a\n+++ b/a\n'],
    ['a record separator', `x\u001E\u001F${OID}\u001Dforged`],
  ])('%s is one entry', async (_, message) => {
    const top = await repositoryOf([['Begin', { a: 'x' }]]);
    if (message.includes('\0')) {
      const tree = git(top, ['rev-parse', 'HEAD^{tree}']).trim();
      const parent = git(top, ['rev-parse', 'HEAD']).trim();
      const object = `tree ${tree}\nparent ${parent}\nauthor Ann <a@b> 1767225600 +0000\ncommitter Ann <a@b> 1767225600 +0000\n\n${message}`;
      const oid = git(top, ['hash-object', '-t', 'commit', '-w', '--literally', '--stdin'], { input: object }).trim();
      git(top, ['update-ref', 'HEAD', oid]);
    } else commitAt(top, message, 1);
    await using session = await connectGit({ directories: [top] });
    const { structuredContent } = await session.call('git_log', { max_count: 50 });
    expect(structuredContent).toMatchObject({ commits: [{ author: 'Ann' }, { author: 'Ann', message: 'Begin' }] });
    expect((await session.text('git_log')).match(/^[0-9a-f]{40} /gm)).toHaveLength(2);
  });

  it('a header of the blame is one hunk', async () => {
    const top = await repositoryOf([[`${OID} 1 1 1`, { a: 'x\n' }]]);
    git(top, ['config', 'user.name', `filename a`]);
    await using session = await connectGit({ directories: [top] });
    expect((await session.call('git_blame', { path: 'a' }))._meta).toMatchObject({
      hunks: [{ start_line: 1, end_line: 1, summary: `${OID} 1 1 1` }],
    });
  });
});

describe('the name of a branch', () => {
  it.each(['a\nb', 'a b', 'a\u0000b', 'a\u001Bb', '@{-1}', 'HEAD', '@', 'a..b', 'a.lock', '/a', 'a//b', ''])(
    'cannot be %j',
    async (branch_name) => {
      const top = await repositoryOf([['Begin', { a: 'x' }]]);
      await using session = await connectGit({ directories: [top] });
      expect(await session.fails('git_create_branch', { branch_name })).toMatch(/^INVALID_REF_NAME/);
      expect(await session.fails('git_checkout', { branch_name })).toMatch(/^INVALID_REF_NAME/);
    },
  );
});

describe('a name', () => {
  it('that contains invisible characters is shown escaped, and returned exactly, by the tools that change something', async () => {
    const top = await repositoryOf([['Begin', { 'a\u202E.txt': 'x', b: 'x' }]]);
    const name = 'x\u202Ey\u200Bz';
    await using session = await connectGit({ directories: [top] }, 'modern', CONFIRMS);
    for (const [tool, input, structured] of [
      ['git_mv', { source: 'b', destination: name }, { destination: name }],
      ['git_rm', { paths: [name], cached: true }, { removed: [name] }],
      ['git_clean', {}, { deleted: [name] }],
      ['git_reset', {}, { unstaged: ['b'] }],
      ['git_restore', { paths: ['.'] }, {}],
      ['git_checkout', { branch_name: name, create: true }, { branch: name }],
      ['git_rename_branch', { branch_name: name, new_name: `${name}!` }, { branch: `${name}!` }],
      ['git_checkout', { branch_name: 'main' }, { previous: `${name}!` }],
      ['git_delete_branch', { branch_name: `${name}!` }, { branch: `${name}!` }],
      ['git_tag_create', { name }, { name }],
      ['git_tag_list', {}, { tags: [{ name }] }],
      ['git_tag_verify', { name }, { name }],
      ['git_tag_delete', { name }, { name }],
    ] as const) {
      const { structuredContent, content } = await session.call(tool, input);
      expect(structuredContent, tool).toMatchObject(structured);
      expect(JSON.stringify(content), tool).not.toMatch(/[\u202E\u200B]/);
    }
    for (const { message } of session.elicited.all) expect(message).not.toMatch(/[\u202E\u200B]/);
    expect(session.elicited.all.map(({ message }) => message).join()).toContain(String.raw`x\u{202e}y\u{200b}z`);
  });

  it('is rejected for a tag or a renamed branch if git would reject it', async () => {
    const top = await repositoryOf([['Begin', { a: 'x' }]]);
    git(top, ['branch', 'other']);
    await using session = await connectGit({ directories: [top] });
    for (const name of [
      'a\nb',
      'a b',
      'a\u0000b',
      'a\u001Bb',
      '@{-1}',
      'HEAD',
      '@',
      'a..b',
      'a.lock',
      '/a',
      'a//b',
      '',
      '-d',
      'x'.repeat(300),
    ]) {
      expect(await session.fails('git_tag_create', { name }), name).toMatch(/^INVALID_REF_NAME/);
      expect(await session.fails('git_rename_branch', { branch_name: 'other', new_name: name }), name).toMatch(
        /^INVALID_REF_NAME/,
      );
    }
  });
});
