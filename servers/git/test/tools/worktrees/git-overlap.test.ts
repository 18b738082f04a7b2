import { mkdir, rm, symlink } from 'node:fs/promises';
import path from 'node:path';

import { ERAS, type Session } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { grow, statusOf } from '../../fixtures/branches.ts';
import { commitAt, connectGit, git, repositoryOf, temporaryDirectory, writeIn } from '../../fixtures/temporary.ts';

const LINES = Array.from({ length: 20 }, (_, line) => `line ${line}\n`);

/** Returns the content of a file with some lines replaced. @param changes new lines, keyed by line numbers from 0 */
function withLines(changes: Readonly<Record<number, string>>): string {
  return LINES.map((line, position) => changes[position] ?? line).join('');
}

interface Scene {
  readonly base: string;
  readonly root: string;
  readonly top: string;
}

/**
 * Creates a repository on the branch `mine`. Counted from 0, `mine` and `near` change line 1 of a.txt, and `far` line 18. `apart`
 * changes b.txt.
 */
async function scene(): Promise<Scene> {
  const base = await temporaryDirectory();
  const root = path.join(base, 'safe');
  const top = await repositoryOf(
    [['Begin', { 'a.txt': withLines({}), 'b.txt': 'b\n', 'c/d.txt': 'd\n' }]],
    path.join(root, 'project'),
  );
  grow(
    top,
    ['mine', 'main', { Mine: { 'a.txt': withLines({ 1: 'mine\n' }) } }],
    ['far', 'main', { Far: { 'a.txt': withLines({ 18: 'far\nfarther\n' }) } }],
    ['near', 'main', { Near: { 'a.txt': withLines({ 1: 'near\n' }) } }],
    ['apart', 'main', { Apart: { 'b.txt': 'apart\n' } }],
  );
  git(top, ['checkout', '--quiet', 'mine']);
  return { base, root, top };
}

interface Overlap {
  readonly branch?: string;
  readonly worktree?: string;
  readonly conflicts: readonly string[];
  readonly files: readonly { readonly path: string }[];
}

async function overlaps(session: Session, args: Readonly<Record<string, unknown>> = {}): Promise<readonly Overlap[]> {
  const { structuredContent } = await session.call('git_overlap', { repo_path: 'project', ...args });
  return (structuredContent as { readonly overlaps: readonly Overlap[] }).overlaps;
}

function objectsIn(top: string): string {
  return git(top, ['count-objects', '-v']);
}

describe.each(ERAS)('git_overlap, on a %s connection,', (era) => {
  it('lists the branches that change the same files, and the conflicts of a merge', async () => {
    const { root, top } = await scene();
    git(top, ['update-ref', 'refs/remotes/origin/near', 'near']);
    const objects = objectsIn(top);
    await using session = await connectGit({ directories: [root] }, era);
    const found = await overlaps(session);
    expect(found).toHaveLength(2);
    expect(found).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          branch: 'far',
          files: [{ path: 'a.txt', added: 2, removed: 1 }],
          total: 1,
          conflicts: [],
          conflict_count: 0,
        }),
        expect.objectContaining({ branch: 'near', also: ['origin/near'], conflicts: ['a.txt'], conflict_count: 1 }),
      ]),
    );
    expect(await session.text('git_overlap', { repo_path: 'project' })).toMatch(
      /near at .*would conflict in a\.txt\n {2}a\.txt \+1 -1/,
    );
    expect(objectsIn(top)).toBe(objects);
    expect(statusOf(top)).toBe('');
  });

  it('compares uncommitted changes of both work trees, with untracked files', async () => {
    const { root, top } = await scene();
    git(top, ['worktree', 'add', '--quiet', '-b', 'side', path.join(root, 'side'), 'main']);
    await writeIn(root, 'side/b.txt', 'side\n');
    await writeIn(root, 'side/new.txt', 'side\n');
    await writeIn(top, 'new.txt', 'mine\n');
    await writeIn(top, 'b.txt', 'mine\n');
    git(top, ['add', 'b.txt']);
    const [objects, states] = [objectsIn(top), [statusOf(top), statusOf(path.join(root, 'side'))]];
    await using session = await connectGit({ directories: [root] }, era);
    const [first, ...others] = await overlaps(session);
    expect(first).toMatchObject({
      branch: 'side',
      worktree: path.join(root, 'side'),
      files: [
        { path: 'b.txt', added: 1, removed: 1, uncommitted: true },
        { path: 'new.txt', added: 1, removed: 0, uncommitted: true },
      ],
      conflicts: ['b.txt', 'new.txt'],
    });
    expect(others.map(({ branch = '' }) => branch).toSorted()).toEqual(['apart', 'far', 'near']);
    expect(objectsIn(top)).toBe(objects);
    expect([statusOf(top), statusOf(path.join(root, 'side'))]).toEqual(states);
  });

  it('compares the given paths instead of the changed files', async () => {
    const { root, top } = await scene();
    grow(top, ['deep', 'main', { Deep: { 'c/d.txt': 'deep\n', 'c/e.txt': 'e\n' } }]);
    git(top, ['checkout', '--quiet', 'mine']);
    await using session = await connectGit({ directories: [root] }, era);
    expect(await overlaps(session, { paths: ['c'] })).toMatchObject([
      { branch: 'deep', files: [{ path: 'c/d.txt' }, { path: 'c/e.txt' }], conflicts: [] },
    ]);
    expect(await overlaps(session, { paths: ['b.txt', 'cc'] })).toMatchObject([{ branch: 'apart' }]);
    expect(await session.text('git_overlap', { repo_path: 'project', paths: ['none.txt'] })).toBe(
      'No other work tree or branch changes these files (4 examined)',
    );
  });
});

describe('git_overlap', () => {
  it('omits merged branches and unrelated histories', async () => {
    const { root, top } = await scene();
    git(top, ['branch', '--force', 'far', 'mine']);
    git(top, ['branch', 'unrelated', git(top, ['commit-tree', '-m', 'Unrelated', 'near^{tree}']).trim()]);
    await using session = await connectGit({ directories: [root] });
    expect((await overlaps(session)).map(({ branch }) => branch)).toEqual(['near']);
  });

  it('reports a work tree outside the allowed directories without its path and its uncommitted changes', async () => {
    const { base, root, top } = await scene();
    const outside = path.join(base, 'beside_evil');
    git(top, ['worktree', 'add', '--quiet', outside, 'near']);
    await writeIn(outside, 'a.txt', 'SECRET\n');
    await using session = await connectGit({ directories: [root] });
    const result = await session.call('git_overlap', { repo_path: 'project' });
    expect(result.structuredContent).toMatchObject({ unexamined_worktrees: 1 });
    expect(JSON.stringify(result)).not.toMatch(/beside_evil|uncommitted":/);
    expect((await overlaps(session)).map(({ branch = '' }) => branch).toSorted()).toEqual(['far', 'near']);
  });

  it('does not open another repository in place of a work tree', async () => {
    const { root, top } = await scene();
    const side = path.join(root, 'side');
    git(top, ['worktree', 'add', '--quiet', '-b', 'side', side, 'near']);
    await rm(path.join(side, '.git'));
    git(side, ['init', '--quiet']);
    await writeIn(side, 'a.txt', 'other\n');
    await using session = await connectGit({ directories: [root] });
    const { structuredContent } = await session.call('git_overlap', { repo_path: 'project' });
    expect(structuredContent).toMatchObject({ unexamined_worktrees: 1 });
    expect(JSON.stringify(structuredContent)).not.toContain('uncommitted":true');
  });

  it('examines the newest branches first, up to max_branches', async () => {
    const { root, top } = await scene();
    git(top, ['checkout', '--quiet', '-b', 'newest', 'near']);
    git(top, ['commit', '--quiet', '--allow-empty', '--message=Newest'], { env: { GIT_COMMITTER_DATE: '2099-01-01T00:00:00Z' } });
    git(top, ['checkout', '--quiet', 'mine']);
    await using session = await connectGit({ directories: [root] });
    const { structuredContent } = await session.call('git_overlap', { repo_path: 'project', max_branches: 1 });
    expect(structuredContent).toMatchObject({ examined: 1, truncated: true, overlaps: [{ branch: 'newest' }] });
  });

  it('lists at most 50 files of each branch, and reports the total', async () => {
    const { root, top } = await scene();
    const files = Object.fromEntries(Array.from({ length: 60 }, (_, number) => [`many/${number + 100}.txt`, 'x\n']));
    grow(top, ['many', 'main', { Many: files }]);
    git(top, ['checkout', '--quiet', 'mine']);
    await using session = await connectGit({ directories: [root] });
    const [found] = await overlaps(session, { paths: ['many'] });
    expect(found).toMatchObject({ branch: 'many', total: 60 });
    expect(found?.files).toHaveLength(50);
    expect(await session.text('git_overlap', { repo_path: 'project', paths: ['many'] })).toContain('… 10 more files');
  });

  it('shows names of files that are not UTF-8, and names with control characters', async () => {
    const { root, top } = await scene();
    const blob = git(top, ['hash-object', '-w', '--stdin'], { input: 'x\n' }).trim();
    const tree = git(top, ['mktree', '-z'], {
      input: Buffer.concat([Buffer.from(`100644 blob ${blob}\tcaf\x1b`), Buffer.of(0xe9, 0)]),
    }).trim();
    git(top, ['branch', 'odd', git(top, ['commit-tree', '-p', 'main', '-m', 'Odd', tree]).trim()]);
    await using session = await connectGit({ directories: [root] });
    const text = await session.text('git_overlap', { repo_path: 'project', paths: ['.'] });
    expect(text).toContain('caf\\');
    expect(text).not.toContain('\x1b');
  });

  it('reads a repository whose alternates are relative', async () => {
    const { root, top } = await scene();
    const store = path.join(root, 'store');
    await mkdir(path.join(store, 'objects'), { recursive: true });
    git(root, ['clone', '--quiet', '--bare', top, path.join(store, 'bare')]);
    git(top, ['gc', '--quiet']);
    await writeIn(top, '.git/objects/info/alternates', '../../../store/bare/objects\n');
    git(top, ['repack', '-a', '-d', '-l', '--quiet']);
    await using session = await connectGit({ directories: [root] });
    await writeIn(top, 'a.txt', withLines({ 1: 'mine\n', 18: 'mine\n' }));
    expect((await overlaps(session)).map(({ conflicts }) => conflicts)).toEqual([['a.txt'], ['a.txt']]);
  });

  it('rejects a repository without commits or without a work tree, and paths outside', async () => {
    const { base, root, top } = await scene();
    git(root, ['init', '--quiet', 'empty']);
    git(root, ['clone', '--quiet', '--bare', top, 'bare.git']);
    await symlink(base, path.join(top, 'link'));
    await using session = await connectGit({ directories: [root] });
    expect(await session.fails('git_overlap', { repo_path: 'empty' })).toMatch(/^EMPTY_REPO/);
    expect(await session.fails('git_overlap', { repo_path: 'bare.git' })).toMatch(/^NO_WORK_TREE/);
    expect(await session.fails('git_overlap', { repo_path: 'project', paths: ['../x'] })).toMatch(/^PATH_OUTSIDE_ROOTS/);
    expect(await session.fails('git_overlap', { repo_path: 'project', paths: ['.git/config'] })).toMatch(/^INVALID_PATH/);
    expect(await session.fails('git_overlap', { repo_path: 'project', max_branches: 0 })).toMatch(/^INVALID_ARGUMENTS/);
  });

  it('stops when it is cancelled, and reports progress', async () => {
    const { root, top } = await scene();
    for (let number = 0; number < 30; number += 1)
      git(top, ['branch', `b${number}`, git(top, ['commit-tree', '-p', 'near', '-m', `B ${number}`, 'near^{tree}']).trim()]);
    commitAt(top, 'More', 1);
    await using session = await connectGit({ directories: [root] });
    const ending = new AbortController();
    const seen: number[] = [];
    const call = session.client.callTool(
      { name: 'git_overlap', arguments: { repo_path: 'project' } },
      {
        signal: ending.signal,
        onprogress: ({ progress }) => {
          seen.push(progress);
          ending.abort();
        },
      },
    );
    await expect(call).rejects.toThrow();
    expect(seen[0]).toBeGreaterThan(0);
    expect(objectsIn(top)).toContain('garbage: 0');
  });
});
