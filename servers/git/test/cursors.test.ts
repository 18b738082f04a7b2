import path from 'node:path';

import type { Session } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { conflict, FILES, filesOf, LISTS, TEXTS, type Paged } from './fixtures/paged-tools.ts';
import { connectGit, git, repositoryOf, temporaryDirectory, writeIn } from './fixtures/temporary.ts';

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

/** Returns all pages of a tool, by following the cursors until a page has no cursor. */
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

/** Connects a client to a server with the minimum `--max-bytes`. */
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
    const { path: file, lines } = Object(item) as { readonly path?: unknown; readonly lines?: unknown };
    return Array.isArray(lines) ? lines.map((line: object) => ({ file, ...line })) : [item];
  });
}

/** Returns a page of a diff without the text before the diff and the note after it. */
function bodyIn(text: string): string {
  return text
    .replace(/^commit [0-9a-f]{40}\n[^]*?\n\n {4}[^\n]*\n\n/, '')
    .replace(/\[The(?:re is more| diff was cut off)[^\n]*\]$/, '');
}
