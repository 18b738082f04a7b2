import { ERAS } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { commitAt, connectGit, emptyRepository, git, repositoryOf, writeIn } from '../../fixtures/temporary.ts';

async function branchedRepository(): Promise<string> {
  const top = await repositoryOf([['base', { base: 'x' }]]);
  git(top, ['switch', '--quiet', '--create', 'side']);
  commitAt(top, 'side 1', 1);
  git(top, ['switch', '--quiet', 'main']);
  commitAt(top, 'main 1', 2);
  git(top, ['tag', 'v1.0']);
  git(top, ['merge', '--quiet', '--no-ff', '--message=join', 'side']);
  git(top, ['branch', 'other', 'HEAD~1']);
  git(top, ['switch', '--quiet', 'other']);
  commitAt(top, 'other 1', 3);
  git(top, ['switch', '--quiet', 'main']);
  git(top, ['update-ref', 'refs/mcp-backup/1', git(top, ['commit-tree', '-m', 'hidden', 'HEAD^{tree}']).trim()]);
  return top;
}

/** Returns the lines of a graph without object names, dates and authors. */
function simplify(text: string): readonly string[] {
  return text.split('\n').map((line) => line.replace(/[0-9a-f]{12} \d{4}-\d\d-\d\d Ann:/, '').replaceAll(/ +/g, ' '));
}

describe.each(ERAS)('git_graph, on a %s connection,', (era) => {
  it('draws all branches and tags, without backup refs', async () => {
    const top = await branchedRepository();
    await using session = await connectGit({ directories: [top], tools: ['all'] }, era);
    const lines = simplify(await session.text('git_graph', {}));
    expect(lines).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^\*.* \(HEAD -> main\) join$/),
        expect.stringMatching(/\* .*\(side\) side 1$/),
        expect.stringMatching(/\* .*\(other\) other 1$/),
        expect.stringMatching(/\* .*\(tag: v1\.0\) main 1$/),
      ]),
    );
    expect(lines.join('\n')).toMatch(/\|\\/);
    expect(lines.join('\n')).not.toContain('hidden');
    const drawn = git(top, ['log', '--graph', '--format=%h', '--branches', '--tags', 'HEAD', '--']).trimEnd().split('\n');
    expect(lines).toHaveLength(drawn.length);
  });

  it('draws given revisions, without merges and side branches', async () => {
    const top = await branchedRepository();
    await using session = await connectGit({ directories: [top], tools: ['all'] }, era);
    const subjects = async (input: object): Promise<readonly string[]> => {
      const { _meta } = await session.call('git_graph', { ...input });
      const { commits } = _meta as { commits: readonly string[] };
      return commits.map((oid) => git(top, ['log', '-1', '--format=%s', oid]).trim());
    };
    expect(await subjects({ revisions: ['side'] })).toEqual(['side 1', 'base']);
    expect(await subjects({ revisions: ['main'], no_merges: true })).not.toContain('join');
    expect(await subjects({ revisions: ['main'], first_parent: true })).toEqual(['join', 'main 1', 'base']);
  });

  it('has the same commits in pages as in one piece', async () => {
    const top = await branchedRepository();
    await using session = await connectGit({ directories: [top], tools: ['all'] }, era);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const { _meta } = await session.call('git_graph', { max_count: 2, ...(cursor !== undefined && { cursor }) });
      const page = _meta as { commits: readonly string[]; next_cursor?: string };
      expect(page.commits.length).toBeLessThanOrEqual(2);
      seen.push(...page.commits);
      cursor = page.next_cursor;
    } while (cursor !== undefined);
    const all = git(top, ['log', '--topo-order', '--format=%H', '--branches', '--tags', 'HEAD']).trim().split('\n');
    expect(seen).toEqual(all);
    expect(await session.fails('git_graph', { cursor: '99' })).toMatch(/^INVALID_ARGUMENTS: the cursor is past the end/);
  });

  it('rejects an empty repository and an option as revision', async () => {
    const top = await emptyRepository();
    await using session = await connectGit({ directories: [top], tools: ['all'] }, era);
    expect(await session.fails('git_graph', {})).toMatch(/^EMPTY_REPO/);
    const full = await branchedRepository();
    await using other = await connectGit({ directories: [full], tools: ['all'] }, era);
    expect(await other.fails('git_graph', { revisions: ['--output=x'] })).toMatch(/^INVALID_REVISION/);
  });
});

const LINES = ['one', 'two', 'three', 'four', 'five'];

async function editedFile(): Promise<string> {
  const top = await repositoryOf([
    ['add', { 'a file.txt': `${LINES.join('\n')}\n` }],
    ['change three', { 'a file.txt': `${LINES.join('\n').replace('three', 'THREE')}\n` }],
    ['insert above', { 'a file.txt': `zero\n${LINES.join('\n').replace('three', 'THREE')}\n` }],
  ]);
  git(top, ['mv', 'a file.txt', 'b.txt']);
  commitAt(top, 'rename', 5);
  await writeIn(top, 'b.txt', `zero\n${LINES.join('\n').replace('three', 'Three')}\n`);
  git(top, ['add', '--all']);
  commitAt(top, 'change three again', 6);
  return top;
}

describe.each(ERAS)('git_line_history, on a %s connection,', (era) => {
  it('finds the commits that changed the lines, through a rename and moved lines', async () => {
    const top = await editedFile();
    await using session = await connectGit({ directories: [top], tools: ['all'] }, era);
    const text = await session.text('git_line_history', { path: 'b.txt', start_line: 4, end_line: 4 });
    expect([...text.matchAll(/^[0-9a-f]{12} \d{4}-\d\d-\d\d Ann: (.*)$/gm)].map(([, subject]) => subject)).toEqual([
      'change three again',
      'change three',
      'add',
    ]);
    expect(text).toContain('-THREE\n+Three');
    expect(text).not.toContain('insert above');
  });

  it('continues with a cursor', async () => {
    const top = await editedFile();
    await using session = await connectGit({ directories: [top], tools: ['all'] }, era);
    const input = { path: 'b.txt', start_line: 4, end_line: 4, max_count: 1 };
    expect(await session.text('git_line_history', input)).toMatch(/change three again[^]*\[Continue with cursor 1\.\]$/);
    expect(await session.text('git_line_history', { ...input, cursor: '2' })).toMatch(/: add\n/);
  });

  it.each([
    [{ path: 'b.txt', start_line: 3, end_line: 2 }, /^INVALID_ARGUMENTS: the range 3 to 2 is empty/],
    [{ path: 'b.txt', start_line: 300, end_line: 301 }, /has only 6 lines/],
    [{ path: 'none.txt', start_line: 1, end_line: 1 }, /^PATH_NOT_FOUND/],
    [{ path: '../x', start_line: 1, end_line: 1 }, /^PATH_OUTSIDE_ROOTS/],
    [{ path: 'b.txt', start_line: 1, end_line: 1, revision: '--all' }, /^INVALID_REVISION/],
  ])('rejects %j', async (input, message) => {
    const top = await editedFile();
    await using session = await connectGit({ directories: [top], tools: ['all'] }, era);
    expect(await session.fails('git_line_history', input)).toMatch(message);
  });

  it('is not forged by a file that contains NUL', async () => {
    const forged = `\0${'0'.repeat(40)}\x002026-01-01\0Eve\0forged\0\n`;
    const top = await repositoryOf([['add', { file: `x\n${forged}` }]]);
    await using session = await connectGit({ directories: [top], tools: ['all'] }, era);
    const { _meta } = await session.call('git_line_history', { path: 'file', start_line: 1, end_line: 2 });
    expect(_meta).toMatchObject({ commits: [git(top, ['rev-parse', 'HEAD']).trim()] });
  });
});

describe.each(ERAS)('git_shortlog, on a %s connection,', (era) => {
  it('counts the commits of each author, without merges, and joins names by .mailmap', async () => {
    const top = await branchedRepository();
    const env = { GIT_AUTHOR_NAME: 'Anne', GIT_AUTHOR_EMAIL: 'anne@example.com' };
    git(top, ['commit', '--quiet', '--allow-empty', '--message=as Anne'], { env });
    await using session = await connectGit({ directories: [top], tools: ['all'] }, era);
    expect(await session.text('git_shortlog', {})).toBe('3 commits Ann <ann@example.com>\n1 commit Anne <anne@example.com>');
    await writeIn(top, '.mailmap', 'Ann <ann@example.com> Anne <anne@example.com>\n');
    expect(await session.text('git_shortlog', { revision: 'HEAD' })).toBe('4 commits Ann <ann@example.com>');
    expect(await session.text('git_shortlog', { revision: 'side..main', limit: 1 })).toBe('2 commits Ann <ann@example.com>');
    expect(await session.text('git_shortlog', { since: '2027-01-01' })).toBe('No commits found');
  });

  it('reads no mailmap that the configuration names', async () => {
    const top = await branchedRepository();
    const outside = await writeIn(top, '../mailmap', 'Forged <forged@example.com> Ann <ann@example.com>\n');
    git(top, ['config', 'mailmap.file', outside]);
    await using session = await connectGit({ directories: [top], tools: ['all'] }, era);
    expect(await session.text('git_shortlog', {})).not.toContain('Forged');
  });
});
