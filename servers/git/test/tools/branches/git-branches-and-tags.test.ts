import path from 'node:path';

import { ERAS } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { CONFIRMS, recover, tokenOf } from '../../fixtures/confirming.ts';
import { connectGit, emptyRepository, git, repositoryOf, temporaryDirectory } from '../../fixtures/temporary.ts';

function project(): Promise<string> {
  return repositoryOf([
    ['Begin', { 'a.txt': 'one\n' }],
    ['Extend', { 'a.txt': 'one\ntwo\n' }],
  ]);
}

function oidOf(top: string, revision: string): string {
  return git(top, ['rev-parse', revision]).trim();
}

/** Creates a clone with a remote branch that does not exist locally, and a branch of a remote whose name contains a slash. */
async function clone(): Promise<string> {
  const origin = await project();
  git(origin, ['branch', 'feature/x', 'HEAD~1']);
  const top = path.join(await temporaryDirectory(), 'clone');
  git(origin, ['clone', '--quiet', origin, top]);
  git(top, ['remote', 'add', 'their/fork', origin]);
  git(top, ['update-ref', 'refs/remotes/their/fork/theirs', 'HEAD']);
  return top;
}

describe('git_checkout', () => {
  it('creates a branch at HEAD', async () => {
    const top = await project();
    await using session = await connectGit({ directories: [top] });
    const { structuredContent } = await session.call('git_checkout', { branch_name: 'new', create: true });
    expect(structuredContent).toEqual({ branch: 'new', oid: oidOf(top, 'HEAD'), previous: 'main' });
    expect(await session.fails('git_checkout', { branch_name: 'main', create: true })).toMatch(/^BRANCH_EXISTS/);
    expect(await session.fails('git_checkout', { branch_name: 'x', create: true, track: true })).toMatch(/^INVALID_ARGUMENTS/);
    await using empty = await connectGit({ directories: [await emptyRepository()] });
    expect(await empty.fails('git_checkout', { branch_name: 'new', create: true })).toMatch(/^EMPTY_REPO/);
  });

  it.each([
    ['origin/feature/x', 'feature/x', 'origin/feature/x'],
    ['feature/x', 'feature/x', 'origin/feature/x'],
    ['their/fork/theirs', 'theirs', 'their/fork/theirs'],
  ])('follows a remote branch: %s', async (given, branch, upstream) => {
    const top = await clone();
    await using session = await connectGit({ directories: [top] });
    expect((await session.call('git_checkout', { branch_name: given, track: true })).structuredContent).toMatchObject({ branch });
    // git finds an upstream only through a fetch refspec. `git clone` and `git remote add` configure one for each remote.
    expect(git(top, ['config', `branch.${branch}.remote`]).trim()).toBe(upstream.slice(0, -branch.length - 1));
    expect(git(top, ['config', `branch.${branch}.merge`]).trim()).toBe(`refs/heads/${branch}`);
  });

  it('suggests the remote branch if no local branch has the name, and reports ambiguous names', async () => {
    const top = await clone();
    await using session = await connectGit({ directories: [top] });
    expect(await session.fails('git_checkout', { branch_name: 'feature/x' })).toBe(
      'INVALID_REVISION: "feature/x" is not a local branch\ntrack: true creates a branch that tracks origin/feature/x',
    );
    git(top, ['update-ref', 'refs/remotes/their/fork/feature/x', 'HEAD']);
    expect(await session.fails('git_checkout', { branch_name: 'feature/x', track: true })).toBe(
      'INVALID_REVISION: several remotes have a branch "feature/x"\nuse one of origin/feature/x, their/fork/feature/x',
    );
    expect(await session.fails('git_checkout', { branch_name: 'origin/main', track: true })).toMatch(/^BRANCH_EXISTS/);
    expect(await session.fails('git_checkout', { branch_name: 'origin/HEAD', track: true })).toMatch(/^INVALID_REVISION/);
  });
});

describe('git_checkout of a tag or commit', () => {
  it('names what it is, and how to check it out', async () => {
    const top = await project();
    git(top, ['tag', 'v1', 'HEAD~1']);
    await using session = await connectGit({ directories: [top] });
    const oid = oidOf(top, 'v1');
    const refusal =
      'INVALID_REVISION: "v1" is a tag, not a branch\ndetach: true checks out the tag; git_create_branch creates a branch there';
    expect(await session.fails('git_checkout', { branch_name: 'v1' })).toBe(refusal);
    expect(await session.fails('git_checkout', { branch_name: oid })).toMatch(/is a commit, not a branch\ndetach: true/);
    for (const branch_name of ['v1', oid, 'main~1']) {
      await session.call('git_checkout', { branch_name: 'main' });
      const { structuredContent } = await session.call('git_checkout', { branch_name, detach: true });
      expect(structuredContent).toEqual({ oid, previous: 'main' });
      expect(oidOf(top, 'HEAD')).toBe(oid);
      expect(() => git(top, ['symbolic-ref', '--quiet', 'HEAD'])).toThrow();
    }
    expect(await session.fails('git_checkout', { branch_name: 'v1', detach: true, create: true })).toMatch(/^INVALID_ARGUMENTS/);
  });

  it('backs up commits that only the detached HEAD contains', async () => {
    const top = await project();
    await using session = await connectGit({ directories: [top] });
    await session.call('git_checkout', { branch_name: 'main', detach: true });
    git(top, ['commit', '--quiet', '--allow-empty', '--message=Loose']);
    const oid = oidOf(top, 'HEAD');
    await session.call('git_checkout', { branch_name: 'main' });
    expect(git(top, ['for-each-ref', '--format=%(objectname)', 'refs/mcp-backup'])).toBe(`${oid}\n`);
  });
});

describe('git_delete_branch', () => {
  it('needs no confirmation if another branch, a remote branch or a tag contains its commits', async () => {
    const top = await project();
    git(top, ['branch', 'merged', 'HEAD~1']);
    git(top, ['switch', '--quiet', '--create', 'tagged']);
    git(top, ['commit', '--quiet', '--allow-empty', '--message=Tagged']);
    git(top, ['tag', 'v1']);
    git(top, ['switch', '--quiet', 'main']);
    await using session = await connectGit({ directories: [top] });
    for (const branch_name of ['merged', 'tagged']) {
      const oid = oidOf(top, branch_name);
      const { structuredContent } = await session.call('git_delete_branch', { branch_name });
      expect(structuredContent).toEqual({
        branch: branch_name,
        oid,
        recover_with: `git_create_branch {"branch_name":"${branch_name}","base_branch":"${oid}"}`,
      });
    }
    expect(git(top, ['branch', '--format=%(refname:short)'])).toBe('main\n');
  });

  it.each(ERAS)(
    'requires confirmation if no other branch contains the commits, and keeps them, on a %s connection',
    async (era) => {
      const top = await project();
      git(top, ['switch', '--quiet', '--create', 'only']);
      git(top, ['commit', '--quiet', '--allow-empty', '--message=Only here']);
      git(top, ['switch', '--quiet', 'main']);
      const oid = oidOf(top, 'only');
      await using session = await connectGit({ directories: [top] }, era, CONFIRMS);
      await session.call('git_delete_branch', { branch_name: 'only' });
      expect(session.elicited.all[0]?.message).toMatch(
        new RegExp(
          `^Delete the branch only at ${oid.slice(0, 12)}, .*\n- commit [0-9a-f]+ Only here\nTo undo it: git_create_branch {"branch_name":"only","base_branch":"${oid}"}$`,
        ),
      );
      expect(git(top, ['for-each-ref', '--format=%(objectname)', 'refs/mcp-backup']).trim()).toBe(oid);
    },
  );

  it('rejects a token after the branch moved', async () => {
    const top = await project();
    git(top, ['branch', 'only', git(top, ['commit-tree', '-p', 'HEAD', '-m', 'x', 'HEAD^{tree}']).trim()]);
    await using session = await connectGit({ directories: [top] });
    const { structuredContent } = await session.call('git_delete_branch', { branch_name: 'only', dry_run: true });
    git(top, ['branch', '--force', 'only', git(top, ['commit-tree', '-p', 'only', '-m', 'y', 'HEAD^{tree}']).trim()]);
    const input = { branch_name: 'only', confirm_token: tokenOf({ structuredContent }) };
    expect(await session.fails('git_delete_branch', input)).toMatch(/^PRECONDITION_FAILED/);
    expect(git(top, ['branch', '--list', 'only'])).toContain('only');
  });

  it('rejects branches that are checked out or protected', async () => {
    const top = await project();
    for (const name of ['current', 'elsewhere', 'release/1', 'release/1.2/x', 'master']) git(top, ['branch', name]);
    git(top, ['switch', '--quiet', 'current']);
    git(top, ['worktree', 'add', '--quiet', path.join(path.dirname(top), 'other'), 'elsewhere']);
    const protectedBranches = ['main', 'release/*'];
    await using session = await connectGit({ directories: [path.dirname(top)], protectedBranches }, 'modern', CONFIRMS);
    const fails = (tool: string, input: object): Promise<string> => session.fails(tool, { repo_path: top, ...input });
    expect(await fails('git_delete_branch', { branch_name: 'current' })).toMatch(/^CONFLICT: "current" is the current branch/);
    expect(await fails('git_delete_branch', { branch_name: 'elsewhere' })).toMatch(/^CONFLICT/);
    for (const branch_name of ['main', 'release/1'])
      for (const [tool, more] of [
        ['git_delete_branch', {}],
        ['git_rename_branch', { new_name: 'x' }],
      ] as const)
        expect(await fails(tool, { branch_name, ...more })).toMatch(/^PROTECTED_BRANCH/);
    for (const branch_name of ['release/1.2/x', 'master'])
      await session.call('git_delete_branch', { repo_path: top, branch_name });
    expect(await fails('git_delete_branch', { branch_name: 'relaese' })).toMatch(/^INVALID_REVISION/);
  });
});

describe('git_rename_branch', () => {
  it('keeps the commit, and rejects an existing name', async () => {
    const top = await project();
    git(top, ['branch', 'old', 'HEAD~1']);
    await using session = await connectGit({ directories: [top] });
    const { structuredContent } = await session.call('git_rename_branch', { branch_name: 'old', new_name: 'new' });
    expect(structuredContent).toEqual({ branch: 'new', oid: oidOf(top, 'HEAD~1'), previous: 'old' });
    expect(await session.fails('git_rename_branch', { branch_name: 'new', new_name: 'main' })).toMatch(/^BRANCH_EXISTS/);
    expect(await session.fails('git_rename_branch', { branch_name: 'old', new_name: 'x' })).toMatch(/^INVALID_REVISION/);
  });
});

describe('tags', () => {
  it('are created with or without a message, listed, and never moved', async () => {
    const top = await project();
    await using session = await connectGit({ directories: [top] });
    expect(await session.text('git_tag_list')).toBe('No tags found');
    const light = await session.call('git_tag_create', { name: 'light', target: 'HEAD~1' });
    expect(light.structuredContent).toEqual({
      name: 'light',
      oid: oidOf(top, 'HEAD~1'),
      target: oidOf(top, 'HEAD~1'),
      annotated: false,
      signed: false,
    });
    const message = 'One\n\n# not a comment\n--sign';
    await session.call('git_tag_create', { name: 'v1.0', message });
    expect(git(top, ['tag', '--list', '--format=%(contents)', 'v1.0']).trim()).toBe(message);
    expect(await session.fails('git_tag_create', { name: 'v1.0' })).toMatch(/^TAG_EXISTS/);
    expect((await session.call('git_tag_list')).structuredContent).toMatchObject({
      tags: [
        { name: 'v1.0', oid: oidOf(top, 'v1.0'), target: oidOf(top, 'HEAD'), annotated: true, subject: 'One' },
        { name: 'light', annotated: false, subject: 'Begin', date: '2026-01-01T00:00:00+00:00' },
      ],
      total: 2,
      truncated: false,
    });
    expect((await session.call('git_tag_list', { contains: 'HEAD' })).structuredContent).toMatchObject({
      tags: [{ name: 'v1.0' }],
    });
    expect(await session.text('git_tag_verify', { name: 'v1.0' })).toBe('v1.0 is not signed');
    expect(await session.text('git_tag_verify', { name: 'light' })).toBe('light is not signed');
    expect(await session.fails('git_tag_verify', { name: 'v1.O' })).toBe(
      'INVALID_REVISION: the tag "v1.O" does not exist\ndid you mean v1.0?',
    );
  });

  it.each(ERAS)('are deleted after confirmation, and can be restored with their message, on a %s connection', async (era) => {
    const top = await project();
    git(top, ['tag', '--annotate', '--message=One', 'v1']);
    const oid = oidOf(top, 'v1');
    const silent = await connectGit({ directories: [top] }, era);
    expect(await silent.fails('git_tag_delete', { name: 'v1' })).toContain(
      `- v1 at ${oid.slice(0, 12)}: One\nTo undo it: git_tag_create {"name":"v1","target":"${oid}"}`,
    );
    await silent[Symbol.asyncDispose]();
    await using session = await connectGit({ directories: [top] }, era, CONFIRMS);
    const { structuredContent } = await session.call('git_tag_delete', { name: 'v1' });
    expect(git(top, ['tag'])).toBe('');
    await recover(session, { structuredContent });
    expect(git(top, ['tag', '--list', '--format=%(contents:subject)'])).toBe('One\n');
    expect(git(top, ['for-each-ref', '--format=%(objectname)', 'refs/mcp-backup']).trim()).toBe(oid);
  });
});
