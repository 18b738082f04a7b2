import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { ERAS } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { connectGit, repositoryOf, temporaryDirectory } from './fixtures/temporary.ts';

interface Scene {
  readonly base: string;
  readonly one: string;
  readonly two: string;
}

async function scene(): Promise<Scene> {
  const base = await temporaryDirectory();
  const one = await repositoryOf([['One', { a: 'x' }]], path.join(base, 'one'));
  const two = await repositoryOf([['Two', { a: 'x' }]], path.join(base, 'two'));
  return { base, one, two };
}

function rootsOf(...directories: readonly string[]): () => readonly { readonly uri: string }[] {
  return () => directories.map((directory) => ({ uri: pathToFileURL(directory).href }));
}

describe.each(ERAS)('the roots of a client on a %s connection', (era) => {
  it("restrict the operator's directories", async () => {
    const { base, one, two } = await scene();
    await using session = await connectGit({ directories: [base] }, era, { roots: rootsOf(one) });
    expect(await session.text('git_log')).toContain('One');
    expect(await session.fails('git_log', { repo_path: two })).toMatch(/^PATH_OUTSIDE_ROOTS/);
  });

  it("never extend the operator's directories", async () => {
    const { base, one, two } = await scene();
    await using session = await connectGit({ directories: [one] }, era, { roots: rootsOf(base, two, '/') });
    expect(await session.text('git_log')).toContain('One');
    expect(await session.fails('git_log', { repo_path: two })).toMatch(/^PATH_OUTSIDE_ROOTS/);
  });

  it('are the boundary if the operator names no directories', async () => {
    const { one, two } = await scene();
    await using session = await connectGit({}, era, { roots: rootsOf(one) });
    expect(await session.text('git_log')).toContain('One');
    expect(await session.fails('git_log', { repo_path: two })).toMatch(/^PATH_OUTSIDE_ROOTS/);
  });

  it('are the boundary of completions if the client supports roots; otherwise nothing is suggested', async () => {
    const { one } = await scene();
    const ref = { type: 'ref/resource', uri: 'git://{repo}/status' } as const;
    await using rooted = await connectGit({}, era, { roots: rootsOf(one) });
    await using rootless = await connectGit({}, era);
    for (const [session, total] of [
      [rooted, era === 'legacy' ? 1 : 0],
      [rootless, 0],
    ] as const)
      expect(await session.client.complete({ ref, argument: { name: 'repo', value: '' } })).toMatchObject({
        completion: { total },
      });
  });

  it('do not allow a repository of which they contain only the git directory', async () => {
    const { base, one } = await scene();
    await using part = await connectGit({ directories: [base] }, era, { roots: rootsOf(path.join(one, '.git')) });
    expect(await part.fails('git_log')).toMatch(/^(?:NOT_A_REPO|REPO_UNTRUSTED)/);
  });
});
