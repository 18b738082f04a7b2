import type { Session } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { commitAt, connectGit, git, repositoryOf } from '../../fixtures/temporary.ts';

interface Page {
  readonly commits: readonly { readonly oid: string }[];
  readonly next_cursor?: string;
}

async function pageOf(session: Session, input: Readonly<Record<string, unknown>>): Promise<Page> {
  return (await session.call('git_log', input)).structuredContent as Page;
}

/** Returns the commits of all pages, by following the cursors. */
async function pageByPage(session: Session, max_count: number, input: object = {}): Promise<readonly string[]> {
  const seen: string[] = [];
  let page = await pageOf(session, { ...input, max_count });
  seen.push(...page.commits.map(({ oid }) => oid));
  while (page.next_cursor !== undefined) {
    page = await pageOf(session, { ...input, max_count, cursor: page.next_cursor });
    seen.push(...page.commits.map(({ oid }) => oid));
  }
  return seen;
}

function atOnce(top: string, args: readonly string[] = []): readonly string[] {
  return git(top, ['log', '--format=%H', ...args])
    .split('\n')
    .filter((line) => line !== '');
}

describe('the log of a history with branches', () => {
  it('is the same in pages as in one piece', async () => {
    const top = await repositoryOf([['base', { base: 'x' }]]);
    for (const [position, name] of ['left', 'right', 'left', 'right', 'left'].entries()) {
      git(top, ['switch', '--quiet', ...(position < 2 ? ['--create', name, 'main'] : [name])]);
      commitAt(top, `${name} ${position}`, 10 + position);
    }
    git(top, ['merge', '--quiet', '--no-ff', '--message=merge', 'right']);
    await using session = await connectGit({ directories: [top] });
    for (const max_count of [1, 2, 3]) {
      expect(await pageByPage(session, max_count)).toEqual(atOnce(top));
      expect(await pageByPage(session, max_count, { first_parent: true })).toEqual(atOnce(top, ['--first-parent']));
      for (const revision of ['main..HEAD', 'right..left', 'left..right', 'HEAD~1...right', '...right'])
        expect(await pageByPage(session, max_count, { revision }), revision).toEqual(atOnce(top, [revision]));
    }
    expect(await session.text('git_log', { revision: 'left..left' })).toBe('No commits found');
    expect(await session.text('git_log', { max_count: 1 })).toMatch(/ merge of [0-9a-f]{12} [0-9a-f]{12}\n {4}merge/);
  });

  it('is the same in pages if commits have the same time', async () => {
    const top = await repositoryOf([['base', { base: 'x' }]]);
    git(top, ['branch', 'side']);
    for (let position = 0; position < 3; position += 1) commitAt(top, `main ${position}`, 5);
    git(top, ['switch', '--quiet', 'side']);
    for (let position = 0; position < 3; position += 1) commitAt(top, `side ${position}`, 5);
    git(top, ['merge', '--quiet', '--no-ff', '--message=merge', 'main']);
    await using session = await connectGit({ directories: [top] });
    expect(await pageByPage(session, 2)).toEqual(atOnce(top));
  });

  it('continues at the cursor although the branch moved', async () => {
    const top = await repositoryOf([
      ['one', { a: '1' }],
      ['two', { a: '2' }],
      ['three', { a: '3' }],
    ]);
    await using session = await connectGit({ directories: [top] });
    const { next_cursor } = await pageOf(session, { max_count: 1, paths: ['a'] });
    commitAt(top, 'four', 9);
    expect(await pageOf(session, { max_count: 1, paths: ['a'], cursor: next_cursor })).toMatchObject({
      commits: [{ message: 'two' }],
    });
  });
});

describe('the log', () => {
  it.each([
    ['since a time in words, and until a time', { since: '50 years ago', until: '2026-01-01T00:00:30Z' }, ['Begin']],
    ['by an author', { author: 'ann@EXAMPLE' }, []],
    ['by an author, literally', { author: 'ann.example' }, []],
    ['by an author that matches a pattern', { author: 'ann.example', regex: true }, ['Rename', 'Extend [x]', 'Begin']],
    ['with a text in the message', { grep: '[x]' }, ['Extend [x]']],
    ['with a message that matches a pattern', { grep: '^(Ext|Beg)', regex: true }, ['Extend [x]', 'Begin']],
    ['that change a text', { pickaxe: 't.o' }, []],
    ['that change a text that matches a pattern', { pickaxe: 't.o', regex: true }, ['Extend [x]']],
    ['that change a path', { paths: ['b.txt'] }, ['Rename']],
    ['that change a path, also before its rename', { paths: ['b.txt'], follow: true }, ['Rename', 'Extend [x]', 'Begin']],
  ])('can be limited to commits %s', async (_, input, subjects) => {
    const top = await repositoryOf([
      ['Begin', { 'a.txt': 'one\n' }],
      ['Extend [x]', { 'a.txt': 'one\ntwo\n' }],
    ]);
    git(top, ['mv', 'a.txt', 'b.txt']);
    commitAt(top, 'Rename', 2);
    await using session = await connectGit({ directories: [top] });
    const { structuredContent } = await session.call('git_log', input);
    expect(structuredContent).toMatchObject({ commits: subjects.map((message) => ({ message })) });
  });

  it.each([
    [{ grep: '(', regex: true }, /^INVALID_ARGUMENTS: .*is not a valid regular expression/],
    [{ pickaxe: '(', regex: true }, /^INVALID_ARGUMENTS: .*is not a valid regular expression/],
    [{ grep: 'a\nb' }, /^INVALID_ARGUMENTS: grep: "a.*b" has more than one line/],
    [{ author: 'a\0b' }, /^INVALID_ARGUMENTS: author/],
    [{ pickaxe: 'a\0b' }, /^INVALID_ARGUMENTS: pickaxe/],
    [{ follow: true }, /^INVALID_ARGUMENTS: follow needs exactly one path/],
  ])('rejects %j', async (input, refusal) => {
    const top = await repositoryOf([['Begin', { 'a.txt': 'one\n' }]]);
    await using session = await connectGit({ directories: [top] });
    expect(await session.fails('git_log', input)).toMatch(refusal);
  });

  it('counts files and lines independently of the text of messages', async () => {
    const top = await repositoryOf([
      ['Begin', { a: '1\n', b: '2\n' }],
      [' 7 files changed, 7 insertions(+)', {}],
      ['x\n\n 9 files changed, 9 insertions(+)\n', { a: '3\n' }],
    ]);
    await using session = await connectGit({ directories: [top] });
    const sizes = [{ files: 1, added: 1, removed: 1 }, undefined, { files: 2, added: 2, removed: 0 }];
    for (const max_count of [10, 3])
      expect((await session.call('git_log', { stats: true, max_count })).structuredContent).toMatchObject({
        commits: sizes.map((stats) => (stats === undefined ? { message: ' 7 files changed, 7 insertions(+)' } : { stats })),
      });
    const { commits } = await pageOf(session, { stats: true });
    expect(commits.map((commit) => 'stats' in commit)).toEqual([true, false, true]);
    expect(await session.text('git_log', { stats: true, max_count: 1 })).toContain(' (1 file, +1 -1)\n');
  });

  it('of a thousand commits contains each message once, and reports progress', async () => {
    const top = await repositoryOf([['Begin', { a: '1\n' }]]);
    const commits = Array.from({ length: 1100 }, (_, number) =>
      [
        'commit refs/heads/long',
        `committer Ann <ann@example.com> ${1_770_000_000 + number} +0000`,
        `data <<END\nCommit ${number}: change the thing that was there\n\nbody ${number}\nEND\n`,
      ].join('\n'),
    );
    git(top, ['fast-import', '--quiet'], { input: commits.join('\n') });
    await using session = await connectGit({ directories: [top] });
    const call = session.start('git_log', { revision: 'long', max_count: 1000 });
    const result = await call.result;
    const plain = git(top, ['log', '-1000', 'long']).length;
    expect(JSON.stringify(result).length).toBeLessThan(plain * 1.9);
    expect(JSON.stringify(result).match(/body 1099/g)).toHaveLength(1);
    expect(await call.progress.next()).toMatchObject({ total: 1000 });
    expect(result.content[0]).toMatchObject({
      text: expect.stringMatching(/^[0-9a-f]{12} 2026-\d\d-\d\d Ann: Commit 1099: .*\n/),
    });
  });
});
