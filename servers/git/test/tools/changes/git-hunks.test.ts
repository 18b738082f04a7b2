import { chmod, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { ERAS, type Session } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { commitAt, connectGit, git, repositoryOf, writeIn } from '../../fixtures/temporary.ts';

const LINES = Array.from({ length: 30 }, (_, line) => `line ${line + 1}`);

function replaced(...changes: readonly (readonly [line: number, text: string])[]): string {
  const lines = [...LINES];
  for (const [line, text] of changes) lines[line - 1] = text;
  return `${lines.join('\n')}\n`;
}

async function changedFile(name = 'a.txt'): Promise<string> {
  const top = await repositoryOf([['Begin', { [name]: replaced() }]]);
  await writeIn(top, name, replaced([3, 'three'], [4, 'four'], [25, 'twenty-five']));
  return top;
}

async function idsOf(session: Session, input: Readonly<Record<string, unknown>> = {}): Promise<readonly string[]> {
  const { _meta } = await session.call('git_hunks', input);
  return (_meta as { hunks: readonly { id: string }[] }).hunks.map(({ id }) => id);
}

function indexOf(top: string, name = 'a.txt'): string {
  return git(top, ['show', `:${name}`]);
}

describe.each(ERAS)('hunks, on a %s connection,', (era) => {
  it('are listed with ids, places and numbered lines', async () => {
    const top = await changedFile();
    await using session = await connectGit({ directories: [top] }, era);
    const [first, second] = await idsOf(session);
    const lines = [
      'a.txt',
      `${first} at line 1`,
      ' 1  line 1',
      ' 2  line 2',
      ' 3 -line 3',
      ' 4 -line 4',
      ' 5 +three',
      ' 6 +four',
      ' 7  line 5',
      ' 8  line 6',
      ' 9  line 7',
      `${second} at line 22, line 21`,
      '1  line 22',
    ].map((line) => line.replace(/^ (?=\d )/, ''));
    expect(await session.text('git_hunks')).toContain(lines.slice(0, 11).join('\n'));
    expect(await session.text('git_hunks')).toContain(lines.slice(11).join('\n'));
    expect(await session.text('git_hunks', { staged: true })).toBe('No staged hunks; untracked and binary files have none');
  });

  it('are staged and unstaged one by one, and keep their ids meanwhile', async () => {
    const top = await changedFile();
    await using session = await connectGit({ directories: [top] }, era);
    const [first = '', second = ''] = await idsOf(session);
    expect(await session.text('git_stage_hunks', { hunks: [first] })).toBe('Staged 1 hunk of a.txt');
    expect(indexOf(top)).toBe(replaced([3, 'three'], [4, 'four']));
    expect(await idsOf(session)).toEqual([second]);
    await session.call('git_stage_hunks', { hunks: [second] });
    expect(git(top, ['diff'])).toBe('');
    const [one = '', two = ''] = await idsOf(session, { staged: true });
    expect(await session.text('git_unstage_hunks', { hunks: [one] })).toBe('Unstaged 1 hunk of a.txt');
    expect(indexOf(top)).toBe(replaced([25, 'twenty-five']));
    await session.call('git_unstage_hunks', { hunks: [two] });
    expect(git(top, ['diff', '--cached'])).toBe('');
    expect(await readFile(path.join(top, 'a.txt'), 'utf8')).toBe(replaced([3, 'three'], [4, 'four'], [25, 'twenty-five']));
  });

  it('are staged by lines', async () => {
    const top = await changedFile();
    await using session = await connectGit({ directories: [top] }, era);
    const [first = ''] = await idsOf(session);
    await session.call('git_stage_hunks', { hunks: [`${first}:4,6`] });
    expect(indexOf(top)).toBe(replaced([4, 'four']));
    const [staged = ''] = await idsOf(session, { staged: true });
    await session.call('git_unstage_hunks', { hunks: [`${staged}:1-99`.replace('1-99', '4-5')] });
    expect(indexOf(top)).toBe(replaced());
  });

  it('are refused when they are stale: all of a call, or none', async () => {
    const top = await changedFile();
    await using session = await connectGit({ directories: [top] }, era);
    const [first = '', second = ''] = await idsOf(session);
    await writeIn(top, 'a.txt', replaced([3, 'THREE'], [25, 'twenty-five']));
    expect(await session.fails('git_stage_hunks', { hunks: [second, first] })).toMatch(
      new RegExp(`^HUNK_CHANGED: no current hunk has the id ${first}; nothing was changed\n.*git_hunks`),
    );
    expect(git(top, ['diff', '--cached'])).toBe('');
    await session.call('git_stage_hunks', { hunks: [second] });
    expect(await session.fails('git_stage_hunks', { hunks: [second] })).toMatch(/^HUNK_CHANGED/);
    expect(indexOf(top)).toBe(replaced([25, 'twenty-five']));
  });

  it.each([
    ['x', /^INVALID_ARGUMENTS: "x" is not an id of a hunk/],
    ['--cached', /^INVALID_ARGUMENTS/],
    ['ID:0', /is not a range of line numbers/],
    ['ID:5-3', /is not a range of line numbers/],
    ['ID:1-2', /contain no change/],
    ['ID:99', /line 99 does not exist/],
    ['ID:1-999999', /is not a range of line numbers/],
  ])('are refused by the id %s', async (given, message) => {
    const top = await changedFile();
    await using session = await connectGit({ directories: [top] }, era);
    const [first = ''] = await idsOf(session);
    expect(await session.fails('git_stage_hunks', { hunks: [given.replace('ID', first)] })).toMatch(message);
    expect(git(top, ['diff', '--cached'])).toBe('');
  });

  it('come in pages', async () => {
    const top = await changedFile();
    await using session = await connectGit({ directories: [top] }, era);
    const all = await idsOf(session);
    expect(await session.text('git_hunks', { limit: 1 })).toMatch(/1 of 2 hunks are shown\. Continue with cursor 1\.\]$/);
    expect(await idsOf(session, { limit: 1, cursor: '1' })).toEqual(all.slice(1));
    expect(await session.fails('git_hunks', { cursor: '2' })).toMatch(/past the end/);
    expect(await session.fails('git_hunks', { paths: ['../x'] })).toMatch(/^PATH_OUTSIDE_ROOTS/);
    expect(await idsOf(session, { paths: ['other.txt'] })).toEqual([]);
  });
});

describe('a hunk', () => {
  it.each(['with space.txt', 'qu"ote\\.txt', 'tab\there.txt', 'é.txt', 'a/b -> c.txt', '-dash.txt', '*.txt'])(
    'of the file %j is staged',
    async (name) => {
      const top = await changedFile(name);
      await using session = await connectGit({ directories: [top] });
      const [first = '', second = ''] = await idsOf(session);
      await session.call('git_stage_hunks', { hunks: [`${first}:3-6`, second] });
      expect(git(top, ['diff'])).toBe('');
    },
  );

  it('of a deleted file is staged whole or in part', async () => {
    const top = await repositoryOf([['Begin', { 'a.txt': 'one\ntwo\nthree\n' }]]);
    await rm(path.join(top, 'a.txt'));
    await using session = await connectGit({ directories: [top] });
    const [id = ''] = await idsOf(session);
    await session.call('git_stage_hunks', { hunks: [`${id}:2`] });
    expect(indexOf(top)).toBe('one\nthree\n');
    await session.call('git_stage_hunks', { hunks: await idsOf(session) });
    expect(git(top, ['status', '--porcelain'])).toBe('D  a.txt\n');
    await session.call('git_unstage_hunks', { hunks: await idsOf(session, { staged: true }) });
    expect(indexOf(top)).toBe('one\ntwo\nthree\n');
  });

  it('of a new file is unstaged whole or in part', async () => {
    const top = await repositoryOf([['Begin', { other: 'x\n' }]]);
    await writeIn(top, 'a.txt', 'one\ntwo\nthree\n');
    git(top, ['add', 'a.txt']);
    await using session = await connectGit({ directories: [top] });
    const [id = ''] = await idsOf(session, { staged: true });
    await session.call('git_unstage_hunks', { hunks: [`${id}:2`] });
    expect(indexOf(top)).toBe('one\nthree\n');
    await session.call('git_unstage_hunks', { hunks: await idsOf(session, { staged: true }) });
    expect(git(top, ['status', '--porcelain'])).toBe('?? a.txt\n');
  });

  it('of a file that is only intended to be added is staged', async () => {
    const top = await repositoryOf([['Begin', { other: 'x\n' }]]);
    await writeIn(top, 'a.txt', 'one\ntwo\n');
    git(top, ['add', '--intent-to-add', 'a.txt']);
    await using session = await connectGit({ directories: [top] });
    const [id = ''] = await idsOf(session);
    await session.call('git_stage_hunks', { hunks: [`${id}:1`] });
    expect(indexOf(top)).toBe('one\n');
    await session.call('git_stage_hunks', { hunks: await idsOf(session) });
    expect(git(top, ['status', '--porcelain'])).toBe('A  a.txt\n');
  });

  it('does not stage the mode of its file', async () => {
    const top = await changedFile();
    await chmod(path.join(top, 'a.txt'), 0o755);
    await using session = await connectGit({ directories: [top] });
    await session.call('git_stage_hunks', { hunks: await idsOf(session) });
    expect(git(top, ['ls-files', '--stage'])).toMatch(/^100644 /);
    expect(git(top, ['diff', '--numstat'])).toBe('0\t0\ta.txt\n');
  });

  it('without a line break at the end is staged only whole', async () => {
    const top = await repositoryOf([['Begin', { 'a.txt': 'one\ntwo' }]]);
    await writeIn(top, 'a.txt', 'one\ntwo\nthree');
    await using session = await connectGit({ directories: [top] });
    const [id = ''] = await idsOf(session);
    expect(await session.fails('git_stage_hunks', { hunks: [`${id}:5`] })).toMatch(
      /without a line break.*\nselect the whole hunk/,
    );
    await session.call('git_stage_hunks', { hunks: [id] });
    expect(indexOf(top)).toBe('one\ntwo\nthree');
  });

  it('of a file with CRLF is staged as the repository stores it', async () => {
    const top = await repositoryOf([['Begin', { '.gitattributes': '*.txt text eol=crlf\n', 'a.txt': 'one\ntwo\n' }]]);
    await writeFile(path.join(top, 'a.txt'), 'one\r\ntwo\r\nthree\r\n');
    await using session = await connectGit({ directories: [top] });
    await session.call('git_stage_hunks', { hunks: await idsOf(session) });
    expect(indexOf(top)).toBe('one\ntwo\nthree\n');
  });

  it('is not offered for binary, untracked and unmerged files', async () => {
    const top = await repositoryOf([['Begin', { 'a.bin': 'x\0y', 'b.txt': 'base\n' }]]);
    git(top, ['switch', '--quiet', '--create', 'other']);
    await writeIn(top, 'b.txt', 'other\n');
    git(top, ['add', '--all']);
    commitAt(top, 'Other', 2);
    git(top, ['switch', '--quiet', 'main']);
    await writeIn(top, 'b.txt', 'main\n');
    git(top, ['add', '--all']);
    commitAt(top, 'Main', 3);
    expect(() => git(top, ['merge', 'other'])).toThrow();
    await writeIn(top, 'a.bin', 'x\0z');
    await writeIn(top, 'new.txt', 'x\n');
    await using session = await connectGit({ directories: [top] });
    expect(await idsOf(session)).toEqual([]);
  });

  it('of identical lines is staged at its own place', async () => {
    const block = 'a\nb\nc\nd\ne\nf\ng\nh\n';
    const top = await repositoryOf([['Begin', { 'a.txt': block.repeat(4) }]]);
    await writeIn(top, 'a.txt', block.replace('d', 'D').repeat(4));
    await using session = await connectGit({ directories: [top] });
    const ids = await idsOf(session);
    expect(new Set(ids).size).toBe(ids.length);
    await session.call('git_stage_hunks', { hunks: [ids.at(-1) ?? ''] });
    expect(indexOf(top)).toBe(block.repeat(3) + block.replace('d', 'D'));
  });
});
