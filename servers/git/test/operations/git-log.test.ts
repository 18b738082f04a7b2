import type { Session } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { commitAt, connectGit, git, repositoryOf } from '../temporary.ts';

interface Page {
  readonly commits: readonly { readonly oid: string }[];
  readonly next_cursor?: string;
}

async function pageOf(session: Session, input: Readonly<Record<string, unknown>>): Promise<Page> {
  return (await session.call('git_log', input)).structuredContent as Page;
}

/** The commits of every page, by following the cursor. */
async function pageByPage(session: Session, max_count: number): Promise<readonly string[]> {
  const seen: string[] = [];
  let page = await pageOf(session, { max_count });
  seen.push(...page.commits.map(({ oid }) => oid));
  while (page.next_cursor !== undefined) {
    page = await pageOf(session, { max_count, cursor: page.next_cursor });
    seen.push(...page.commits.map(({ oid }) => oid));
  }
  return seen;
}

function atOnce(top: string): readonly string[] {
  return git(top, ['log', '--format=%H']).trim().split('\n');
}

describe('the log of a history with branches', () => {
  it('is the same page by page as at once', async () => {
    const top = await repositoryOf([['base', { base: 'x' }]]);
    for (const [position, name] of ['left', 'right', 'left', 'right', 'left'].entries()) {
      git(top, ['switch', '--quiet', ...(position < 2 ? ['--create', name, 'main'] : [name])]);
      commitAt(top, `${name} ${position}`, 10 + position);
    }
    git(top, ['merge', '--quiet', '--no-ff', '--message=merge', 'right']);
    await using session = await connectGit({ directories: [top] });
    for (const max_count of [1, 2, 3]) expect(await pageByPage(session, max_count)).toEqual(atOnce(top));
  });

  it('is the same page by page when commits are of the same second', async () => {
    const top = await repositoryOf([['base', { base: 'x' }]]);
    git(top, ['branch', 'side']);
    for (let position = 0; position < 3; position += 1) commitAt(top, `main ${position}`, 5);
    git(top, ['switch', '--quiet', 'side']);
    for (let position = 0; position < 3; position += 1) commitAt(top, `side ${position}`, 5);
    git(top, ['merge', '--quiet', '--no-ff', '--message=merge', 'main']);
    await using session = await connectGit({ directories: [top] });
    expect(await pageByPage(session, 2)).toEqual(atOnce(top));
  });

  it('goes on where it was although the branch moved', async () => {
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
