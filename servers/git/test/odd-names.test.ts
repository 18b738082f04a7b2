import { rename, writeFile } from 'node:fs/promises';

import type { Session } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { connectGit, emptyRepository, git, repositoryOf, writeIn } from './fixtures/temporary.ts';

function oidOf(top: string, revision: string): string {
  return git(top, ['rev-parse', revision]).trim();
}

async function facts(session: Session, tool: string, input: Readonly<Record<string, unknown>> = {}): Promise<unknown> {
  const { structuredContent, _meta } = await session.call(tool, input);
  return structuredContent ?? _meta;
}

/** `café` in Latin-1. */
const LATIN = Buffer.from('caf\xE9', 'latin1');
const SPELLED = String.raw`"caf\351"`;

async function withLatinFile(): Promise<string> {
  const top = await emptyRepository();
  await writeFile(Buffer.concat([Buffer.from(`${top}/`), LATIN]), 'one\n');
  return top;
}

describe('a name that is not UTF-8', () => {
  it('is written as git quotes it, and accepted in the same form', async () => {
    const top = await withLatinFile();
    await using session = await connectGit({ directories: [top] });
    expect(await facts(session, 'git_status')).toMatchObject({ entries: [{ path: SPELLED, untracked: true }] });
    expect(await facts(session, 'git_add', { files: [SPELLED] })).toMatchObject({ staged: [SPELLED] });
    await writeIn(top, 'other', 'x');
    git(top, ['add', 'other']);
    await session.call('git_commit', { message: 'Both' });
    expect(git(top, ['ls-files', '-z'])).toBe('caf\uFFFD\0other\0');
    expect(await facts(session, 'git_log', { paths: [SPELLED] })).toMatchObject({ commits: [{ message: 'Both' }] });
    expect(await facts(session, 'git_log', { paths: ['café'] })).toMatchObject({ commits: [] });
    expect(await facts(session, 'git_blame', { path: SPELLED })).toMatchObject({
      path: SPELLED,
      total_lines: 1,
      hunks: [{ end_line: 1 }],
    });
    expect(await session.text('git_show', { revision: 'HEAD', paths: [SPELLED] })).not.toContain('other');
    const { repository } = (await facts(session, 'git_status')) as { readonly repository: string };
    const uri = `git://${repository}/blob/HEAD/${encodeURIComponent(SPELLED)}`;
    expect((await session.client.readResource({ uri })).contents).toMatchObject([{ text: 'one\n' }]);
  });

  it('is quoted in the header of a patch, which git accepts', async () => {
    const top = await withLatinFile();
    await writeFile(Buffer.concat([Buffer.from(`${top}/image`), LATIN]), Buffer.of(0, 1));
    await writeFile(Buffer.concat([Buffer.from(`${top}/a b `), LATIN]), 'spaces\n');
    git(top, ['add', '--all']);
    git(top, ['commit', '--quiet', '--message=First']);
    await writeFile(Buffer.concat([Buffer.from(`${top}/`), LATIN]), Buffer.from('diff --git a/caf\xE9 b/caf\xE9\n', 'latin1'));
    await writeFile(Buffer.concat([Buffer.from(`${top}/image`), LATIN]), Buffer.of(0, 2));
    await writeFile(Buffer.concat([Buffer.from(`${top}/a b `), LATIN]), 'spaces\nand more\n');
    await using session = await connectGit({ directories: [top] });
    const patch = await session.text('git_diff_unstaged');
    expect(patch.split('\n').filter((line) => /^(?:diff|---|\+\+\+|Binary|\+diff)/.test(line))).toEqual([
      String.raw`diff --git "a/a b caf\351" "b/a b caf\351"`,
      `${String.raw`--- "a/a b caf\351"`}\t`,
      `${String.raw`+++ "b/a b caf\351"`}\t`,
      String.raw`diff --git "a/caf\351" "b/caf\351"`,
      String.raw`--- "a/caf\351"`,
      String.raw`+++ "b/caf\351"`,
      '+diff --git a/café b/café',
      String.raw`diff --git "a/imagecaf\351" "b/imagecaf\351"`,
      String.raw`Binary files "a/imagecaf\351" and "b/imagecaf\351" differ`,
    ]);
    const spaces = await session.text('git_diff_unstaged', { paths: [String.raw`"a b caf\351"`] });
    git(top, ['checkout', '--quiet', '.']);
    await writeIn(top, '.git/change.patch', `${spaces}\n`);
    git(top, ['apply', '.git/change.patch']);
    expect(git(top, ['diff', '--numstat', '-z'])).toBe('1\t0\ta b caf\uFFFD\0');
    expect(await session.fails('git_apply', { patch: `${spaces}\n` })).toBe(
      String.raw`INVALID_PATH: the name "\"a b caf\\351\"" is not UTF-8; patches of such files are not applied`,
    );
  });

  it('is quoted in the header of the patch of a renamed file', async () => {
    const top = await withLatinFile();
    git(top, ['add', '--all']);
    git(top, ['commit', '--quiet', '--message=First']);
    await rename(Buffer.concat([Buffer.from(`${top}/`), LATIN]), `${top}/coffee`);
    git(top, ['add', '--all']);
    await using session = await connectGit({ directories: [top] });
    const patch = await session.text('git_diff_staged');
    expect(patch.split('\n').filter((line) => /^(?:diff|rename)/.test(line))).toEqual([
      String.raw`diff --git "a/caf\351" b/coffee`,
      String.raw`rename from "caf\351"`,
      'rename to coffee',
    ]);
  });

  it('appears in diffs, search results, conflicts and changes', async () => {
    const top = await withLatinFile();
    const place = Buffer.concat([Buffer.from(`${top}/`), LATIN]);
    const commitAll = async (content: string, message: string): Promise<void> => {
      await writeFile(place, Buffer.from(content, 'latin1'));
      git(top, ['add', '--all']);
      git(top, ['commit', '--quiet', `--message=${message}`]);
    };
    await commitAll('Stra\xDFe\n', 'One');
    git(top, ['switch', '--quiet', '--create', 'other']);
    await commitAll('caf\xE9\n', 'Two');
    git(top, ['switch', '--quiet', 'main']);
    await writeIn(top, 'b', 'Straße\n');
    await commitAll('Gru\xDF\n', 'Three');
    await using session = await connectGit({ directories: [top] });
    const diff = await session.call('git_show', { revision: 'HEAD' });
    expect(diff._meta).toMatchObject({ files: [{ path: 'b' }, { path: SPELLED, status: 'modified', added: 1, removed: 1 }] });
    expect(diff.content).toMatchObject([{ text: expect.stringMatching(/\+Straße[^]*-Straße\n\+Gruß\n/) }]);
    const { _meta } = await session.call('git_show', { revision: 'HEAD', max_bytes: 150 });
    const rest = await session.call('git_show', { revision: 'HEAD', cursor: _meta?.['next_cursor'] });
    expect(rest._meta).toMatchObject({ files: [{ path: SPELLED }] });
    expect(await facts(session, 'git_grep', { pattern: 'Gru', globs: ['c*'] })).toMatchObject({
      files: [{ path: SPELLED, lines: [{ text: 'Gruß' }] }],
    });
    expect(await facts(session, 'git_grep', { pattern: 'Stra', revision: 'HEAD~1' })).toMatchObject({
      files: [{ path: SPELLED }],
    });
    const { next_cursor: cursor } = (await facts(session, 'git_ls_files', { limit: 1 })) as { readonly next_cursor: string };
    expect(await facts(session, 'git_ls_files', { cursor })).toMatchObject({ files: [SPELLED] });
    expect(await session.fails('git_merge', { revision: 'other' })).toMatch(/^CONFLICT/);
    expect(await facts(session, 'git_conflicts')).toMatchObject({ files: [{ path: SPELLED, markers: [{ start_line: 1 }] }] });
    const { repository } = (await facts(session, 'git_status')) as { readonly repository: string };
    const uri = `git://${repository}/conflict/3/${encodeURIComponent(SPELLED)}`;
    expect((await session.client.readResource({ uri })).contents).toMatchObject([{ blob: 'Y2Fm6Qo=' }]);
    expect(await facts(session, 'git_abort')).toMatchObject({ outcome: 'aborted' });
  });

  it('is rejected before a merge if it is the name of a submodule, because git would enter the submodule', async () => {
    const top = await repositoryOf([['Begin', { a: 'x' }]]);
    await writeFile(`${top}/.gitmodules`, Buffer.from('[submodule "s\xE9"]\n\tpath = s\n\tignore = none\n', 'latin1'));
    git(top, ['branch', 'other', git(top, ['commit-tree', '-m', 'Other', '-p', 'HEAD', 'HEAD^{tree}']).trim()]);
    await using session = await connectGit({ directories: [top] });
    expect(await session.fails('git_merge', { revision: 'other' })).toMatch(/^REPO_UNTRUSTED/);
  });

  it.each([
    ['a directory above', String.raw`"../caf\351"`, /^PATH_OUTSIDE_ROOTS/],
    ['the git directory', String.raw`"\056git/caf\351"`, /^INVALID_PATH/],
    ['NUL', String.raw`"caf\351\000"`, /^INVALID_PATH/],
    ['a command', String.raw`"$(touch executed)\351"`, /^PATH_NOT_FOUND/],
    ['the end of a quotation', String.raw`"';touch executed;'\351"`, /^PATH_NOT_FOUND/],
  ])('does not resolve to a path outside with %s in the name', async (_, given, message) => {
    const top = await withLatinFile();
    await using session = await connectGit({ directories: [top] });
    expect(await session.fails('git_add', { files: [given] })).toMatch(message);
    expect(git(top, ['status', '--porcelain', '-z'])).toBe('?? caf\uFFFD\0');
  });
});

describe('a message', () => {
  it('is decoded as its commit declares, or as Latin-1', async () => {
    const top = await repositoryOf([['Begin', { a: 'x' }]]);
    const input = Buffer.from('Stra\xDFe caf\xE9', 'latin1');
    git(top, ['-c', 'i18n.commitEncoding=ISO-8859-1', 'commit', '--quiet', '--allow-empty', '--file=-'], { input });
    const raw = Buffer.concat([
      Buffer.from(`tree ${oidOf(top, 'HEAD^{tree}')}\nparent ${oidOf(top, 'HEAD')}\n`),
      Buffer.from('author Jos\xE9 <j@b> 1767225600 +0000\ncommitter J <j@b> 1767225600 +0000\n\nRaw caf\xE9\n', 'latin1'),
    ]);
    git(top, ['update-ref', 'HEAD', git(top, ['hash-object', '-t', 'commit', '-w', '--stdin'], { input: raw }).trim()]);
    git(top, ['config', 'i18n.commitEncoding', 'ISO-8859-1']);
    git(top, ['config', 'i18n.logOutputEncoding', 'ISO-8859-1']);
    await using session = await connectGit({ directories: [top] });
    expect(await facts(session, 'git_log')).toMatchObject({
      commits: [{ author: 'José', message: 'Raw café' }, { message: 'Straße café' }, { message: 'Begin' }],
    });
    expect(await session.text('git_show', { revision: 'HEAD' })).toContain('Raw café');
    expect(await facts(session, 'git_branch')).toMatchObject({ branches: [{ subject: 'Raw café' }] });
  });

  it('is one entry even if the name of the author contains line endings and separators', async () => {
    const top = await repositoryOf([['Begin', { a: 'x' }]]);
    const name = 'Eve\r\u2028commit 1234\u0085\u001E';
    const env = { GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: 'e\r@x' };
    git(top, ['commit', '--quiet', '--allow-empty', '--message=Odd'], { env });
    await using session = await connectGit({ directories: [top] });
    // git itself cuts control characters from both ends, so the test reads the expected name from git.
    const author = git(top, ['log', '--max-count=1', '--format=%an']).slice(0, -1);
    expect(author).toContain('\r\u2028commit');
    expect(await facts(session, 'git_log')).toMatchObject({ commits: [{ author, message: 'Odd' }, { author: 'Ann' }] });
    expect((await session.text('git_log')).split(/[\r\n\u0085\u2028]/)).toHaveLength(4);
  });
});

describe('a name with invisible characters', () => {
  it.each([
    ['a line ending', 'new\nline', String.raw`"new\012line"`],
    ['a character that reorders text', 'gpj\u202Eexe', String.raw`"gpj\342\200\256exe"`],
    ['a line ending, a quote and a backslash', 'a"\\\n', String.raw`"a\042\134\012"`],
  ])('is quoted in texts and accepted in the same form: %s', async (_, name, shown) => {
    const top = await emptyRepository();
    await writeIn(top, name, 'one\n');
    await using session = await connectGit({ directories: [top] });
    expect(await session.text('git_status')).toContain(`untracked: ${shown}`);
    expect(await session.text('git_add', { files: [shown] })).toContain(`staged ${shown}`);
    expect(git(top, ['diff', '--cached', '--name-only', '-z'])).toBe(`${name}\0`);
    await session.call('git_commit', { message: 'First' });
    await writeIn(top, name, 'two\n');
    expect(await session.text('git_diff_unstaged', { mode: 'names', paths: [shown] })).toBe(`modified ${shown}`);
    expect(await session.text('git_grep', { pattern: 'two', globs: ['*'] })).toContain(shown);
    expect(await session.text('git_ls_files')).toContain(shown);
    const moved = await session.text('git_mv', { source: shown, destination: 'plain' });
    expect(moved).toContain(`Moved ${shown} to plain`);
  });
});
