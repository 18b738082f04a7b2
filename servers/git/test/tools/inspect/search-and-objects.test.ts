import { rm } from 'node:fs/promises';
import path from 'node:path';

import { ERAS } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import {
  commitAt,
  connectGit,
  emptyRepository,
  git,
  repositoryOf,
  temporaryDirectory,
  writeIn,
} from '../../fixtures/temporary.ts';

const SOURCE = 'import a\nimport b\n\nconst total = a[0] + b;\nexport { total };\n';

function project(): Promise<string> {
  return repositoryOf([
    ['Begin', { 'src/main.ts': SOURCE, 'src/other.md': 'total of all\n', 'docs/guide.md': '# Total\n', 'x.bin': '\0total' }],
    ['Extend', { 'src/main.ts': SOURCE.replace('total =', 'sum ='), 'odd [name].ts': 'total\n' }],
  ]);
}

function oidOf(top: string, revision: string): string {
  return git(top, ['rev-parse', revision]).trim();
}

describe('git_grep', () => {
  it.each([
    ['a text', { pattern: 'a[0]' }, ['src/main.ts:4:13']],
    ['a pattern', { pattern: '^(im|ex)port', regex: true }, ['src/main.ts:1:1', 'src/main.ts:2:1', 'src/main.ts:5:1']],
    ['in any case', { pattern: 'TOTAL', ignore_case: true, paths: ['docs'] }, ['docs/guide.md:1:3']],
    ['in some directories', { pattern: 'total', paths: ['src'] }, ['src/main.ts:5:10', 'src/other.md:1:1']],
    ['in files of some names', { pattern: 'total', globs: ['*.md'] }, ['src/other.md:1:1']],
    ['in files of some names at a place', { pattern: 'total', globs: ['src/*.ts'] }, ['src/main.ts:5:10']],
    ['in files of some names below a path', { pattern: 'otal', globs: ['*.md'], paths: ['docs'] }, ['docs/guide.md:1:4']],
    ['in a file of an odd name', { pattern: 'total', paths: ['odd [name].ts'] }, ['odd [name].ts:1:1']],
    ['in a commit', { pattern: 'total =', revision: 'HEAD~1' }, ['src/main.ts:4:7']],
    ['what is nowhere', { pattern: 'nowhere' }, []],
  ])('finds %s', async (_, input, found) => {
    await using session = await connectGit({ directories: [await project()] });
    const { structuredContent } = await session.call('git_grep', input);
    const { files, matches } = structuredContent as {
      files: readonly { path: string; lines: readonly { line: number; column: number }[] }[];
      matches: number;
    };
    expect(files.flatMap(({ path: name, lines }) => lines.map(({ line, column }) => `${name}:${line}:${column}`))).toEqual(found);
    expect(matches).toBe(found.length);
  });

  it('shows context lines, and reports that nothing matches', async () => {
    await using session = await connectGit({ directories: [await project()] });
    expect(await session.text('git_grep', { pattern: 'sum', context_lines: 1 })).toBe(
      'src/main.ts\n3- \n4: const sum = a[0] + b;\n5- export { total };',
    );
    expect(await session.text('git_grep', { pattern: 'nowhere' })).toBe('No lines found');
    expect(await session.fails('git_grep', { pattern: '(', regex: true })).toMatch(
      /^INVALID_ARGUMENTS: .* not a valid regular expression/,
    );
    expect(await session.fails('git_grep', { pattern: 'a\nb' })).toMatch(/^INVALID_ARGUMENTS/);
    expect(await session.fails('git_grep', { pattern: 'a', globs: ['../*'] })).toMatch(/^PATH_OUTSIDE_ROOTS/);
    expect(await session.fails('git_grep', { pattern: 'a', cursor: 'x' })).toMatch(/^INVALID_ARGUMENTS: the cursor/);
  });

  it.each([0, 1])('continues at the cursor, with %d context lines', async (context_lines) => {
    const lines = Array.from({ length: 9 }, (_, number) => `hit ${number}\n`).join('');
    const top = await repositoryOf([
      ['Begin', { 'a\nb': lines, 'a.b': lines, 'a/b': lines, '--': `${'x'.repeat(100_000)}hit\n` }],
    ]);
    await using session = await connectGit({ directories: [top] });
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const { structuredContent } = await session.call('git_grep', {
        pattern: 'hit',
        limit: 4,
        context_lines,
        ...(cursor && { cursor }),
      });
      const page = structuredContent as {
        files: readonly { path: string; lines: readonly { line: number; column?: number }[] }[];
        next_cursor?: string;
      };
      const found = page.files.flatMap(({ path: name, lines: shown }) =>
        shown.filter(({ column }) => column !== undefined).map(({ line }) => `${name}:${line}`),
      );
      expect(found.length).toBeLessThanOrEqual(4);
      seen.push(...found);
      cursor = page.next_cursor;
    } while (cursor !== undefined);
    const all = ['a\nb', 'a.b', 'a/b'].flatMap((name) => Array.from({ length: 9 }, (_, number) => `${name}:${number + 1}`));
    expect(seen).toEqual(['--:1', ...all]);
  });

  it('ends at its deadline although its pattern would run forever', async () => {
    const top = await repositoryOf([['Begin', { a: `${'a'.repeat(60_000)}\n`.repeat(20) }]]);
    await using session = await connectGit({ directories: [top] }, undefined, { timeoutMs: 2000 });
    const bomb = { pattern: String.raw`^(a*)*(a*)*\1\2b$`, regex: true };
    expect(await session.fails('git_grep', bomb)).toMatch(/^TIMEOUT: /);
    expect(await session.fails('git_log', { pickaxe: bomb.pattern, regex: true })).toMatch(/^TIMEOUT/);
    expect(await session.text('git_branch')).toContain('main');
  });
});

describe('git_ls_files', () => {
  it('puts a title before a single name that is valid JSON', async () => {
    await using session = await connectGit({ directories: [await repositoryOf([['Begin', { 42: 'x' }]])] });
    expect(await session.text('git_ls_files')).toBe('Files:\n42');
  });

  it('lists tracked, untracked, ignored and conflicting files, and the files of a commit', async () => {
    const top = await project();
    await writeIn(top, '.gitignore', '*.log\n');
    await writeIn(top, 'debug.log', 'x');
    await using session = await connectGit({ directories: [top] });
    const list = async (input: object): Promise<unknown> => (await session.call('git_ls_files', { ...input })).structuredContent;
    expect(await list({})).toMatchObject({ files: ['docs/guide.md', 'odd [name].ts', 'src/main.ts', 'src/other.md', 'x.bin'] });
    expect(await list({ paths: ['src', 'x.bin'] })).toMatchObject({ files: ['src/main.ts', 'src/other.md', 'x.bin'] });
    expect(await list({ kind: 'untracked' })).toMatchObject({ files: ['.gitignore'], truncated: false });
    expect(await list({ kind: 'ignored' })).toMatchObject({ files: ['debug.log'] });
    expect(await list({ revision: 'HEAD~1' })).toMatchObject({
      files: ['docs/guide.md', 'src/main.ts', 'src/other.md', 'x.bin'],
    });
    expect(await list({ revision: 'HEAD', paths: ['src'] })).toMatchObject({ files: ['src/main.ts', 'src/other.md'] });
    const first = (await list({ limit: 2 })) as { readonly next_cursor: string };
    expect(first).toMatchObject({ files: ['docs/guide.md', 'odd [name].ts'], truncated: true });
    expect(await list({ limit: 3, cursor: first.next_cursor })).toEqual({
      files: ['src/main.ts', 'src/other.md', 'x.bin'],
      truncated: false,
    });
    expect(await list({ kind: 'conflicts' })).toMatchObject({ files: [] });
    git(top, ['switch', '--quiet', '--create', 'side', 'HEAD~1']);
    await writeIn(top, 'src/main.ts', 'side\n');
    git(top, ['commit', '--quiet', '--all', '--message=Side']);
    expect(() => git(top, ['merge', 'main'])).toThrow('Command failed');
    expect(await list({ kind: 'conflicts' })).toMatchObject({ files: ['src/main.ts'], truncated: false });
  });
});

describe('git_cat_file', () => {
  it('reads any object, a part of it, and binary content', async () => {
    const top = await repositoryOf([['Begin', { 'a.txt': 'über\nzwei\n', 'b.bin': '\0\u0001' }]]);
    await using session = await connectGit({ directories: [top] });
    const file = await session.call('git_cat_file', { object: 'HEAD:a.txt' });
    expect(file.content).toEqual([{ type: 'text', text: 'über\nzwei\n' }]);
    expect(file._meta).toMatchObject({ type: 'blob', size: 11, truncated: false, oid: oidOf(top, 'HEAD:a.txt') });
    expect(await session.text('git_cat_file', { object: 'main' })).toMatch(/^tree [0-9a-f]{40}\nauthor Ann /);
    expect(await session.text('git_cat_file', { object: ':a.txt', offset: 6 })).toBe('zwei\n');
    expect((await session.call('git_cat_file', { object: 'HEAD:a.txt', max_bytes: 4 }))._meta).toMatchObject({ next_offset: 4 });
    expect(await session.text('git_cat_file', { object: 'HEAD:b.bin' })).toMatch(/^blob [0-9a-f]{12}: 2 bytes of binary content/);
    expect(await session.text('git_cat_file', { object: 'HEAD:b.bin', encoding: 'base64' })).toBe('AAE=');
    expect((await session.call('git_cat_file', { object: 'HEAD^{tree}' }))._meta).toMatchObject({ type: 'tree', binary: true });
    expect(await session.fails('git_cat_file', { object: 'HEAD:../../etc/passwd' })).toMatch(/^INVALID_REVISION/);
    expect(await session.fails('git_cat_file', { object: `${'1'.repeat(40)} blob 5\nforged` })).toMatch(/^INVALID_REVISION/);
    expect(await session.fails('git_cat_file', { object: `${'1'.repeat(40)} blob 5` })).toMatch(/^INVALID_REVISION/);
  });
});

describe('git_rev_parse', () => {
  it('returns the object of a revision and its other names', async () => {
    const top = await project();
    git(top, ['tag', '--annotate', '--message=One', 'v1', 'HEAD~1']);
    await using session = await connectGit({ directories: [top] });
    const names = async (revision: string): Promise<unknown> =>
      (await session.call('git_rev_parse', { revision })).structuredContent;
    const head = oidOf(top, 'HEAD');
    const short = git(top, ['rev-parse', '--short', 'HEAD']).trim();
    expect(await names('main')).toEqual({
      oid: head,
      type: 'commit',
      short,
      symbolic: 'refs/heads/main',
      describe: `v1-1-g${short}`,
    });
    expect(await names('main~0')).toEqual({ oid: head, type: 'commit', short, describe: `v1-1-g${short}` });
    expect(await names('v1')).toMatchObject({ type: 'tag', oid: oidOf(top, 'v1'), symbolic: 'refs/tags/v1' });
    expect(await names(':/Begin')).toMatchObject({ type: 'commit', oid: oidOf(top, 'HEAD~1'), describe: 'v1' });
    expect(await names('v1:src')).toMatchObject({ type: 'tree', oid: oidOf(top, 'v1:src') });
    expect(await session.fails('git_rev_parse', { revision: 'v2' })).toBe(
      'INVALID_REVISION: "v2" does not name an object\ndid you mean v1?',
    );
    expect(await session.fails('git_rev_parse', { revision: 'HEAD..main' })).toMatch(/^INVALID_REVISION/);
  });
});

describe('git_reflog', () => {
  it('lists the reflog page by page, without passwords', async () => {
    const top = await project();
    const env = { GIT_REFLOG_ACTION: 'pull https://user:secret@example.com/x' };
    git(top, ['update-ref', '-m', 'pull https://user:secret@example.com/x', 'refs/heads/main', 'HEAD~1'], { env });
    await using session = await connectGit({ directories: [top] });
    const first = await session.call('git_reflog', { max_count: 2 });
    expect(first.structuredContent).toMatchObject({
      entries: [
        { selector: 'HEAD@{0}', oid: oidOf(top, 'HEAD'), message: 'pull https://user:***@example.com/x' },
        { selector: 'HEAD@{1}', message: 'commit: Extend', date: expect.stringMatching(/^2026-\d\d-\d\dT/) },
      ],
      next_cursor: '2',
    });
    expect(JSON.stringify(first)).not.toContain('secret');
    const { structuredContent } = await session.call('git_reflog', { ref: 'main', max_count: 2, cursor: '2' });
    expect(structuredContent).toMatchObject({ entries: [{ selector: 'main@{2}', message: 'commit (initial): Begin' }] });
    expect(structuredContent).not.toHaveProperty('next_cursor');
    expect(await session.fails('git_reflog', { ref: 'HEAD~1' })).toMatch(/^INVALID_REVISION/);
    expect(await session.fails('git_reflog', { cursor: '-1' })).toMatch(/^INVALID_ARGUMENTS/);
  });
});

describe('git_compare', () => {
  it('counts and lists the commits that only one of two commits contains', async () => {
    const top = await project();
    git(top, ['switch', '--quiet', '--create', 'side', 'HEAD~1']);
    for (const number of [1, 2]) {
      await writeIn(top, 'side', `${number}\n`);
      git(top, ['add', 'side']);
      commitAt(top, `Side ${number}\n\nbody`, 5 + number);
    }
    await using session = await connectGit({ directories: [top] });
    expect((await session.call('git_compare', { base: 'main', limit: 1 })).structuredContent).toMatchObject({
      base_oid: oidOf(top, 'main'),
      head_oid: oidOf(top, 'side'),
      merge_base: oidOf(top, 'main~1'),
      ahead: 2,
      behind: 1,
      ahead_commits: [{ subject: 'Side 2', author: 'Ann' }],
      behind_commits: [{ subject: 'Extend' }],
      changed: { files: 1, added: 1, removed: 0 },
      truncated: true,
    });
    expect(await session.text('git_compare', { base: 'main', limit: 1 })).toMatch(
      /^2 ahead, 1 behind\nMerge base [0-9a-f]{40}\nChanged in head since the merge base: 1 file, \+1 -0\nOnly in head:\n.*: Side 2\n\[1 more: git_log with revision \w+\.\.\w+ lists them\.\]\nOnly in base:\n.*: Extend$/,
    );
    git(top, ['checkout', '--quiet', '--orphan', 'other']);
    commitAt(top, 'Other', 9);
    expect(await session.text('git_compare', { base: 'main' })).toMatch(/^1 ahead, 2 behind\nThe histories are unrelated\n/);
  });
});

describe.each(ERAS)('git_list_repositories on a %s connection', (era) => {
  it('lists repositories, including unusable repositories', async () => {
    const root = await temporaryDirectory();
    const one = await repositoryOf([['Begin', { a: 'x' }]], path.join(root, 'one'));
    const empty = await emptyRepository(path.join(root, 'nested/empty'));
    const trap = await repositoryOf([['Begin', { a: 'x' }]], path.join(root, 'trap'));
    git(trap, ['config', 'filter.planted.clean', 'touch x']);
    const detached = await repositoryOf([['Begin', { a: 'x' }]], path.join(root, 'detached'));
    git(detached, ['switch', '--quiet', '--detach']);
    await using session = await connectGit({ directories: [root] }, era);
    const { structuredContent, content } = await session.call('git_list_repositories');
    expect(structuredContent).toMatchObject({
      repositories: expect.arrayContaining([
        { path: one, id: expect.stringMatching(/^one-[0-9a-f]{8}$/), branch: 'main' },
        { path: empty, id: expect.stringMatching(/^empty-/), branch: 'main' },
        { path: detached, id: expect.stringMatching(/^detached-/) },
        { path: trap, refused: 'REPO_UNTRUSTED' },
      ]),
    });
    expect(content[0]).toMatchObject({ text: expect.stringContaining(`${trap}: REPO_UNTRUSTED`) });
    for (const each of [one, path.dirname(empty), trap, detached]) await rm(each, { recursive: true });
    expect(await session.text('git_list_repositories')).toBe('No repositories found');
  });
});
