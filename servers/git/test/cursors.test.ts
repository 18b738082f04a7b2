import { rm, symlink } from 'node:fs/promises';
import path from 'node:path';

import type { Session } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { grow } from './fixtures/branches.ts';
import { commitAt, connectGit, git, repositoryOf, temporaryDirectory, writeIn } from './fixtures/temporary.ts';

/** Long enough to make a cursor that contains the path of a file too long. */
const DIRECTORY = 'a-directory-with-a-long-name/and-another-one';
const FILES = Array.from({ length: 20 }, (_, number) => `${DIRECTORY}/${number + 10}.txt`);

function filesOf(content: string): Readonly<Record<string, string>> {
  return Object.fromEntries(FILES.map((file) => [file, `${content}\n`.repeat(10)]));
}

interface Paged {
  readonly tool: string;
  readonly args?: Readonly<Record<string, unknown>>;
  /** Creates what the tool shows, in a repository whose only commit contains the files. */
  readonly prepare?: (top: string) => unknown;
}

/** A tool whose pages are the parts of a list. */
interface PagedList extends Paged {
  readonly key: string;
  readonly total?: number;
}

/** A tool whose pages are the parts of a text. */
interface PagedText extends Paged {
  readonly what: string;
  readonly whole: (top: string) => string;
}

async function writeAll(top: string, content: string): Promise<void> {
  for (const file of FILES) await writeIn(top, file, `${content}\n`.repeat(10));
}

async function stageAll(top: string): Promise<void> {
  await writeAll(top, 'staged');
  git(top, ['add', '--all']);
}

function forEach(run: (number: number, top: string) => unknown): (top: string) => void {
  return (top) => FILES.forEach((_, number) => run(number, top));
}

/** A conflict of different lines, so that a page that repeats or omits a line fails the test. */
function conflicting(lines: number): string {
  const side = (name: string): string => Array.from({ length: lines }, (_, line) => `${name} ${line}\n`).join('');
  return `<<<<<<< HEAD\n${side('mine')}=======\n${side('theirs')}>>>>>>> topic\n`;
}

/** git shows two changes: one file is deleted, and another one is added. */
async function replaceByLink(top: string, file: string): Promise<void> {
  await rm(path.join(top, file));
  await symlink('l'.repeat(500), path.join(top, file));
}

function conflict(top: string): void {
  grow(top, ['topic', 'main', { Topic: filesOf('topic') }], ['main', 'main', { Main: filesOf('main') }]);
  expect(() => git(top, ['merge', 'topic'])).toThrow('Command failed');
}

const addCommits = forEach((number, top) => commitAt(top, `Commit ${number}`, number));

const LISTS: readonly PagedList[] = [
  { tool: 'git_status', key: 'entries', prepare: (top) => writeAll(top, 'changed') },
  { tool: 'git_log', key: 'commits', prepare: addCommits, total: 21 },
  { tool: 'git_reflog', key: 'entries', prepare: addCommits, args: { max_count: 30 }, total: 21 },
  {
    tool: 'git_grep',
    args: { pattern: 'needle', limit: 7 },
    key: 'files',
    prepare: (top) => writeAll(top, 'the needle'),
    total: 200,
  },
  { tool: 'git_ls_files', key: 'files' },
  { tool: 'git_branch', key: 'branches', prepare: forEach((number, top) => git(top, ['branch', `b${number}`])), total: 21 },
  { tool: 'git_tag_list', key: 'tags', prepare: forEach((number, top) => git(top, ['tag', `t${number}`])) },
  { tool: 'git_stash_list', key: 'stashes', prepare: forEach(addStash) },
  { tool: 'git_remote_list', key: 'remotes', prepare: forEach(addRemote) },
  { tool: 'git_worktree_list', key: 'worktrees', prepare: addWorktrees, total: 21 },
  { tool: 'git_list_repositories', key: 'repositories', prepare: addWorktrees, total: 21 },
  { tool: 'git_conflicts', key: 'files', prepare: conflict },
  // git lists a file in conflict twice: with its conflict, and with what changed in the work tree.
  { tool: 'git_diff_unstaged', args: { mode: 'names' }, key: 'files', prepare: conflict, total: 40 },
  { tool: 'git_show', args: { revision: 'HEAD', path: DIRECTORY }, key: 'entries' },
];

const TEXTS: readonly PagedText[] = [
  { tool: 'git_diff_staged', what: 'staged changes', prepare: stageAll, whole: (top) => git(top, ['diff', '--cached']) },
  {
    tool: 'git_diff_unstaged',
    what: 'changed files',
    prepare: (top) => writeAll(top, 'changed'),
    whole: (top) => git(top, ['diff']),
  },
  {
    tool: 'git_diff',
    what: 'the work tree',
    args: { target: 'HEAD' },
    prepare: stageAll,
    whole: (top) => git(top, ['diff', 'HEAD']),
  },
  {
    tool: 'git_show',
    what: 'a commit',
    args: { revision: 'HEAD' },
    prepare: async (top) => {
      await stageAll(top);
      commitAt(top, 'Commit', 1);
    },
    whole: (top) => git(top, ['diff', 'HEAD~1', 'HEAD']),
  },
  {
    tool: 'git_diff_unstaged',
    what: 'conflicts and other changes',
    prepare: async (top) => {
      conflict(top);
      await writeIn(top, FILES[0] ?? '', conflicting(100));
      git(top, [
        'update-index',
        '--add',
        '--cacheinfo',
        `100644,${git(top, ['rev-parse', 'HEAD:' + (FILES[1] ?? '')]).trim()},z.txt`,
      ]);
      await writeIn(top, 'z.txt', 'z\n'.repeat(1000));
    },
    whole: (top) => git(top, ['diff']),
  },
  {
    tool: 'git_show',
    what: 'a merge',
    args: { revision: 'HEAD' },
    prepare: async (top) => {
      conflict(top);
      await writeAll(top, 'resolved');
      await writeIn(top, FILES[3] ?? '', 'resolved otherwise\n'.repeat(100));
      git(top, ['commit', '--quiet', '--all', '--message=Merge']);
    },
    whole: (top) => git(top, ['show', '--format=', '--diff-merges=dense-combined']),
  },
  {
    tool: 'git_diff_unstaged',
    what: 'files that links replaced',
    prepare: async (top) => {
      for (const file of FILES.slice(0, 3)) await replaceByLink(top, file);
    },
    whole: (top) => git(top, ['diff']),
  },
];

/** Adds a stash with its own content, because git does not store the same commit twice in sequence. */
function addStash(number: number, top: string): void {
  const message = `Stash ${number}`;
  const oid = git(top, ['commit-tree', '-p', 'HEAD', '-p', 'HEAD', '-m', message, 'HEAD^{tree}']).trim();
  git(top, ['stash', 'store', `--message=${message}`, oid]);
}

function addRemote(number: number, top: string): void {
  git(top, ['remote', 'add', `r${number}`, `https://example.com/${'p'.repeat(50)}/${number}.git`]);
}

function addWorktrees(top: string): void {
  forEach((number) => git(top, ['worktree', 'add', '--quiet', '--detach', path.join(path.dirname(top), `work-tree-${number}`)]))(
    top,
  );
}

async function prepared({ prepare }: Paged): Promise<string> {
  const top = await repositoryOf([['Begin', filesOf('x')]], path.join(await temporaryDirectory(), 'project'));
  await prepare?.(top);
  return top;
}

interface Page {
  readonly text: string;
  readonly facts: Readonly<Record<string, unknown>>;
}

/** Larger than the number of pages of every list. */
const MAX_PAGES = 100;

function placeFor(tool: string, top: string): Readonly<Record<string, unknown>> {
  return tool === 'git_list_repositories' ? {} : { repo_path: top };
}

/** Follows the cursors of a tool until a page has no cursor. */
async function pagesOf(session: Session, top: string, { tool, args }: Paged): Promise<readonly Page[]> {
  const pages: Page[] = [];
  const place = placeFor(tool, top);
  for (let cursor: unknown; pages.length < MAX_PAGES;) {
    const { content, structuredContent, _meta } = await session.call(tool, {
      ...place,
      ...args,
      ...(cursor !== undefined && { cursor }),
    });
    const facts = { ...(structuredContent ?? _meta) } as Readonly<Record<string, unknown>>;
    const text = content[0]?.type === 'text' ? content[0].text : '';
    pages.push({ text, facts });
    cursor = facts['next_cursor'];
    if (cursor === undefined) return pages;
    expect(cursor).toMatch(/^[0-9a-z]{1,24}$/);
    expect(text).toContain(cursor);
  }
  throw new Error(`the pages of ${tool} do not end`);
}

/** A session with the smallest possible results. */
function connectSmall(top: string): Promise<Session> {
  return connectGit({ directories: [path.dirname(top)], tools: ['all'], maxBytes: 1024 });
}

describe('the cursor of', () => {
  it.each(LISTS)('$tool continues to the end of the list: $key', async (paged) => {
    const top = await prepared(paged);
    await using session = await connectSmall(top);
    const pages = await pagesOf(session, top, paged);
    expect(pages.length).toBeGreaterThan(1);
    const items = pages.flatMap(({ facts }) => itemsOf(facts[paged.key] as readonly unknown[]));
    expect(items).toHaveLength(paged.total ?? FILES.length);
    expect(new Set(items.map((item) => JSON.stringify(item))).size).toBe(items.length);
  });

  it.each(TEXTS)('$tool continues to the end of the text: $what', async (paged) => {
    const top = await prepared(paged);
    await using session = await connectSmall(top);
    const pages = await pagesOf(session, top, paged);
    expect(pages.length).toBeGreaterThan(1);
    expect(pages.map(({ text }) => bodyIn(text)).join('')).toBe(paged.whole(top));
  });

  it.each([
    'git_status',
    'git_reflog',
    'git_branch',
    'git_tag_list',
    'git_stash_list',
    'git_remote_list',
    'git_worktree_list',
    'git_list_repositories',
    'git_conflicts',
  ])('%s is rejected if the list became shorter', async (tool) => {
    const top = await repositoryOf([['Begin', filesOf('x')]], path.join(await temporaryDirectory(), 'project'));
    conflict(top);
    await using session = await connectSmall(top);
    expect(await session.fails(tool, { ...placeFor(tool, top), cursor: '100' })).toBe(
      'INVALID_ARGUMENTS: the cursor is past the end of the list, which has become shorter\nomit the cursor to start again',
    );
  });

  it('git_diff_unstaged is rejected after its conflict was resolved', async () => {
    const top = await repositoryOf([['Begin', filesOf('x')]], path.join(await temporaryDirectory(), 'project'));
    conflict(top);
    await using session = await connectSmall(top);
    const { _meta } = await session.call('git_diff_unstaged', { repo_path: top });
    git(top, ['add', '--all']);
    await writeIn(top, FILES[0] ?? '', 'changed again\n');
    expect(await session.fails('git_diff_unstaged', { repo_path: top, cursor: _meta?.['next_cursor'] })).toMatch(
      /^INVALID_ARGUMENTS: the cursor is not valid for this diff/,
    );
  });

  it('every tool with a cursor is covered by these tests', async () => {
    const top = await repositoryOf([['Begin', {}]]);
    await using session = await connectSmall(top);
    const { tools } = await session.client.listTools();
    const paged = tools
      .filter(({ inputSchema }) => Object.hasOwn(inputSchema.properties ?? {}, 'cursor'))
      .map(({ name }) => name);
    expect(new Set([...LISTS, ...TEXTS].map(({ tool }) => tool))).toEqual(new Set(paged));
  });
});

/** Returns the items of a list. Each line that was found in a file is an item, because a page may end within the file. */
function itemsOf(listed: readonly unknown[]): readonly unknown[] {
  return listed.flatMap((item) => {
    const { path: file, lines } = Object(item) as { readonly path?: unknown; readonly lines?: readonly object[] };
    return lines === undefined ? [item] : lines.map((line) => ({ file, ...line }));
  });
}

/** A page of a diff, without the text before the diff and the note after it. */
function bodyIn(text: string): string {
  return text.replace(/^commit [0-9a-f]{40}\n[^]*?\n\n {4}[^\n]*\n\n/, '').replace(/\[The diff was cut off[^\n]*\]$/, '');
}
