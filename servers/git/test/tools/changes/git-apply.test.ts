import { existsSync } from 'node:fs';
import { chmod, readFile, symlink } from 'node:fs/promises';
import path from 'node:path';

import { ERAS } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { scene } from '../../fixtures/attacks/scene.ts';
import { commitAt, connectGit, git, repositoryOf, writeIn } from '../../fixtures/temporary.ts';

const LINES = Array.from({ length: 20 }, (_, line) => `line ${line + 1}\n`);

function replaced(line: number, text: string): string {
  return LINES.with(line - 1, `${text}\n`).join('');
}

function project(): Promise<string> {
  return repositoryOf([['Begin', { 'a.txt': LINES.join(''), 'b.txt': 'b\n' }]]);
}

/** Makes a change, returns its patch, and reverts the change. */
async function patchOf(top: string, files: Readonly<Record<string, string>>): Promise<string> {
  for (const [name, content] of Object.entries(files)) await writeIn(top, name, content);
  git(top, ['add', '--all']);
  const patch = git(top, ['diff', '--cached']);
  git(top, ['reset', '--quiet', '--hard']);
  return patch;
}

function content(top: string, name: string): Promise<string> {
  return readFile(path.join(top, name), 'utf8');
}

describe.each(ERAS)('git_apply, on a %s connection,', (era) => {
  it('changes, creates and deletes files as plain git does, and undoes it in reverse', async () => {
    const top = await project();
    git(top, ['rm', '--quiet', 'b.txt']);
    const patch = await patchOf(top, { 'a.txt': replaced(3, 'three'), 'new/c.txt': 'c\n' });
    await using session = await connectGit({ directories: [top] }, era);
    expect((await session.call('git_apply', { patch })).structuredContent).toEqual({
      outcome: 'applied',
      files: [
        { path: 'a.txt', added: 1, removed: 1 },
        { path: 'b.txt', added: 0, removed: 1 },
        { path: 'new/c.txt', added: 1, removed: 0 },
      ],
      total: 3,
      recover_with: 'git_apply with the same patch and reverse: true',
    });
    expect(git(top, ['diff', '--cached'])).toBe('');
    expect(await content(top, 'a.txt')).toBe(replaced(3, 'three'));
    expect(await content(top, 'new/c.txt')).toBe('c\n');
    expect(existsSync(path.join(top, 'b.txt'))).toBe(false);
    expect(await session.text('git_apply', { patch, reverse: true })).toMatch(
      /^Applied the patch to 3 files\n[^]*reverse: false$/,
    );
    expect(git(top, ['status', '--porcelain'])).toBe('');
  });

  it('only checks if requested', async () => {
    const top = await project();
    const patch = await patchOf(top, { 'a.txt': replaced(3, 'three') });
    await using session = await connectGit({ directories: [top] }, era);
    expect(await session.text('git_apply', { patch, check: true })).toBe('The patch applies to 1 file\na.txt +1 -1');
    expect(git(top, ['status', '--porcelain'])).toBe('');
  });

  it('changes the index if requested', async () => {
    const top = await project();
    const patch = await patchOf(top, { 'a.txt': replaced(3, 'three') });
    await using session = await connectGit({ directories: [top] }, era);
    await session.call('git_apply', { patch, index: true });
    expect(git(top, ['status', '--porcelain'])).toBe('M  a.txt\n');
    await session.call('git_apply', { patch, index: true, reverse: true });
    expect(git(top, ['status', '--porcelain'])).toBe('');
  });

  it('changes nothing if a part of the patch does not apply', async () => {
    const top = await project();
    const patch = await patchOf(top, { 'a.txt': replaced(3, 'three'), 'b.txt': 'B\n' });
    await writeIn(top, 'b.txt', 'other\n');
    await using session = await connectGit({ directories: [top] }, era);
    expect(await session.fails('git_apply', { patch })).toMatch(/^PATCH_FAILED: .*nothing was changed: .*b\.txt.*\n.*three_way/);
    expect(git(top, ['status', '--porcelain'])).toBe(' M b.txt\n');
  });

  it('merges three ways, and leaves conflicts to resolve', async () => {
    const top = await project();
    const patch = await patchOf(top, { 'a.txt': replaced(3, 'three') });
    await writeIn(top, 'a.txt', replaced(3, 'THREE'));
    git(top, ['add', '--all']);
    commitAt(top, 'Other', 2);
    await using session = await connectGit({ directories: [top] }, era);
    expect(await session.text('git_apply', { patch, three_way: true, check: true })).toMatch(
      /applies, but with conflicts, to 1 file/,
    );
    expect(git(top, ['status', '--porcelain'])).toBe('');
    expect(await session.fails('git_apply', { patch, three_way: true })).toMatch(/^CONFLICT: .*conflicts in a\.txt\n.*git_add/);
    expect(git(top, ['status', '--porcelain'])).toBe('UU a.txt\n');
    git(top, ['reset', '--quiet', '--hard']);
    await writeIn(top, 'a.txt', replaced(9, 'nine'));
    expect(await session.fails('git_apply', { patch, three_way: true })).toMatch(/^CONFLICT: .*uncommitted changes: a\.txt/);
  });

  it('applies a patch without a line break at its end', async () => {
    const top = await project();
    const patch = await patchOf(top, { 'b.txt': 'B\n' });
    await using session = await connectGit({ directories: [top] }, era);
    await session.call('git_apply', { patch: patch.trimEnd() });
    expect(await content(top, 'b.txt')).toBe('B\n');
  });

  it('rejects a patch over --max-patch-bytes', async () => {
    const top = await project();
    const patch = await patchOf(top, { 'c.txt': 'c\n'.repeat(1000) });
    await using session = await connectGit({ directories: [top], maxPatchBytes: 1024 }, era);
    expect(await session.fails('git_apply', { patch })).toMatch(
      /^TOO_LARGE: the patch has more than 1024 bytes\n.*--max-patch-bytes/,
    );
    expect(git(top, ['status', '--porcelain'])).toBe('');
  });

  it.each(['with space.txt', 'qu"ote\\.txt', 'tab\there.txt', 'é.txt', 'a/b -> c.txt', '-dash.txt', '*.txt'])(
    'changes the file %j',
    async (name) => {
      const top = await repositoryOf([['Begin', { [name]: 'one\n' }]]);
      const patch = await patchOf(top, { [name]: 'two\n' });
      await using session = await connectGit({ directories: [top] }, era);
      await session.call('git_apply', { patch });
      expect(await content(top, name)).toBe('two\n');
    },
  );

  it('changes the mode of a file, and renames files', async () => {
    const top = await project();
    await chmod(path.join(top, 'b.txt'), 0o755);
    git(top, ['mv', 'a.txt', 'z.txt']);
    const patch = git(top, ['diff', 'HEAD']);
    git(top, ['reset', '--quiet', '--hard']);
    await using session = await connectGit({ directories: [top] }, era);
    await session.call('git_apply', { patch, index: true });
    expect(git(top, ['diff', 'HEAD'])).toBe(patch);
  });
});

function creates(name: string): string {
  return `diff --git a/${name} b/${name}\nnew file mode 100644\n--- /dev/null\n+++ b/${name}\n@@ -0,0 +1 @@\n+x\n`;
}

function copies(from: string): string {
  return `diff --git a/${from} b/x.txt\nsimilarity index 100%\ncopy from ${from}\ncopy to x.txt\n`;
}

function headed(mode: string): string {
  return `diff --git a/x b/x\n${mode}\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+../outside\n\\ No newline at end of file\n`;
}

const OUTSIDE = '../../safe_evil/secret.txt';

/**
 * Patches that `git_apply` must refuse, with the expected error. Some make git read or write something other than regular files
 * of the work tree; others are binary or malformed.
 */
const ATTACKS: readonly (readonly [string, string, RegExp])[] = [
  ['a path outside the work tree', creates('../x.txt'), /^PATH_OUTSIDE_ROOTS/],
  ['an absolute path', '--- a//etc/x\n+++ b//etc/x\n@@ -0,0 +1 @@\n+x\n', /^(?:INVALID_|PATH_)/],
  ['a copy of a file outside', copies(OUTSIDE), /^PATH_OUTSIDE_ROOTS/],
  ['a copy of the configuration', copies('.git/config'), /^INVALID_PATH/],
  ['a rename of the configuration', copies('.git/config').replaceAll('copy', 'rename'), /^INVALID_PATH/],
  ['a hook', creates('.git/hooks/pre-commit'), /^INVALID_PATH/],
  ['a hook in another case', creates('.GIT/hooks/pre-commit'), /^INVALID_PATH/],
  ['a hook under a short name', creates('git~1/hooks/pre-commit'), /^INVALID_PATH/],
  ['a hook of a nested repository', creates('nested/.git/hooks/pre-commit'), /^INVALID_PATH/],
  ['a file of a nested repository', creates('nested/x.txt'), /^INVALID_PATH/],
  ['a file behind a link', creates('linked/x.txt'), /^INVALID_PATH/],
  ['a file behind a link that leads back', creates('a/../../safe_evil/x.txt'), /^(?:INVALID_PATH|PATH_OUTSIDE_ROOTS)/],
  ['the target of a link', '--- a/link\n+++ b/link\n@@ -1 +1 @@\n-x\n+y\n', /^INVALID_PATH/],
  ['a new link', headed('new file mode 120000'), /^INVALID_ARGUMENTS: .*symbolic link/],
  ['a submodule', headed('new file mode 160000'), /^INVALID_ARGUMENTS: .*submodule/],
  ['a file that becomes a link', 'diff --git a/a.txt b/a.txt\nold mode 100644\nnew mode 120000\n', /^INVALID_ARGUMENTS/],
  [
    'a binary bomb',
    'diff --git a/x b/x\nnew file mode 100644\nGIT binary patch\nliteral 4000000000\nzcmV\n\nliteral 0\nHcmV?d00001\n\n',
    /^INVALID_ARGUMENTS: .*binary/,
  ],
  ['a NUL', creates('x\0.txt'), /^INVALID_ARGUMENTS/],
  [
    'a wrong number of lines',
    '--- a/a.txt\n+++ b/a.txt\n@@ -1,900000000 +1,1 @@\n-x\n',
    /^INVALID_ARGUMENTS: the patch cannot be parsed/,
  ],
  ['no patch', 'Please delete everything', /^INVALID_ARGUMENTS: the patch cannot be parsed/],
];

describe('git_apply refuses', () => {
  it.each(ATTACKS)('%s', async (_, patch, refusal) => {
    const { root, top, outside } = await scene();
    await repositoryOf([['Nested', { 'n.txt': 'x\n' }]], path.join(top, 'nested'));
    await symlink(outside, path.join(top, 'linked'));
    await symlink(path.join(outside, 'secret.txt'), path.join(top, 'link'));
    const [before, secret] = [git(top, ['status', '--porcelain']), git(outside, ['status', '--porcelain'])];
    await using session = await connectGit({ directories: [root] });
    for (const flags of [{}, { check: true }, { index: true }, { three_way: true }, { reverse: true }])
      expect(await session.fails('git_apply', { repo_path: top, patch, ...flags }), JSON.stringify(flags)).toMatch(refusal);
    expect(git(top, ['status', '--porcelain'])).toBe(before);
    expect(git(outside, ['status', '--porcelain'])).toBe(secret);
    expect(existsSync(path.join(top, '.git/hooks/pre-commit'))).toBe(false);
    expect(existsSync(path.join(top, 'x.txt'))).toBe(false);
  });
});
