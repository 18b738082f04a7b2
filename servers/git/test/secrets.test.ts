import { appendFile, chmod, mkdir } from 'node:fs/promises';
import path from 'node:path';

import type { Session } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { connectGit, git, idOf, repositoryOf, writeIn } from './fixtures/temporary.ts';

const SECRET = 's3cret';
const URL = `https://ann:${SECRET}@example.com/x.git`;

/** Creates a repository with a password in the URLs of its configuration, of FETCH_HEAD and of its reflogs. */
async function leakyRepository(): Promise<string> {
  const top = await repositoryOf([
    ['Begin', { 'a.txt': 'one\n' }],
    ['More', { 'a.txt': 'two\n' }],
  ]);
  git(top, ['branch', 'other', 'HEAD~1']);
  git(top, ['tag', 'v1', 'HEAD~1']);
  git(top, ['remote', 'add', 'origin', URL]);
  git(top, ['remote', 'set-url', '--push', 'origin', URL]);
  for (const [key, value] of [
    ['branch.main.remote', URL],
    ['branch.main.merge', 'refs/heads/main'],
  ] as const)
    git(top, ['config', key, value]);
  const there = git(top, ['commit-tree', '-m', 'There', '-p', 'HEAD', 'HEAD^{tree}']).trim();
  await writeIn(top, '.git/FETCH_HEAD', `${there}\t\tbranch 'main' of ${URL}\n`);
  git(top, ['update-ref', '--create-reflog', '-m', `fetch ${URL}: fast-forward`, 'refs/remotes/origin/main', there]);
  const main = git(top, ['rev-parse', 'main']).trim();
  for (const oid of [there, main]) git(top, ['update-ref', '-m', `pull ${URL}`, 'refs/heads/main', oid]);
  await appendFile(path.join(top, 'a.txt'), 'three\n');
  return top;
}

const CALLS: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ['git_status', {}],
  ['git_branch', { branch_type: 'all' }],
  ['git_reflog', {}],
  ['git_reflog', { ref: 'origin/main' }],
  ['git_rev_parse', { revision: 'FETCH_HEAD' }],
  ['git_remote_list', {}],
  ['git_list_repositories', {}],
  ['git_stash_push', {}],
  ['git_stash_list', {}],
  ['git_merge', { revision: 'FETCH_HEAD', ff: 'never' }],
  ['git_log', {}],
  ['git_fetch', {}],
  ['git_push', { remote: 'origin' }],
  ['git_pull', { remote: URL }],
];

const PROMPTS: readonly (readonly [string, Record<string, string>])[] = [
  ['commit_message', {}],
  ['review_changes', { base: 'other' }],
  ['pr_description', { base: 'other' }],
  ['release_notes', { from: 'v1' }],
  ['explain_commit', { revision: 'origin/main' }],
];

/** Returns the result or the error of a call as text. */
function told(session: Session, name: string, args: Readonly<Record<string, unknown>>): Promise<string> {
  return session.client.callTool({ name, arguments: { ...args } }).then(JSON.stringify, (error: unknown) => String(error));
}

describe('a password in a URL', () => {
  it('is in no result of a tool, resource or prompt', async () => {
    const top = await leakyRepository();
    await using session = await connectGit({ directories: [top] });
    const at = `git://${await idOf(session)}`;
    for (const name of ['status', 'head', 'refs', 'log', 'commit/FETCH_HEAD', 'log?rev=origin%2Fmain', 'diff/unstaged']) {
      const { contents } = await session.client.readResource({ uri: `${at}/${name}` });
      expect(JSON.stringify(contents), name).not.toContain(SECRET);
    }
    expect(JSON.stringify(await session.client.listResources())).not.toContain(SECRET);
    git(top, ['add', '--all']);
    for (const [name, args] of PROMPTS) {
      const prompted = await session.client.getPrompt({ name, arguments: args }).catch(String);
      expect(JSON.stringify(prompted), name).not.toContain(SECRET);
    }
    for (const [name, args] of CALLS) expect(await told(session, name, args), name).not.toContain(SECRET);
    expect(git(top, ['log', '--walk-reflogs', '--format=%gs', 'main'])).toContain(SECRET);
  });

  it('is not in the error of a rejected configuration or a hook', async () => {
    const top = await leakyRepository();
    await mkdir(path.join(top, '.git/hooks'), { recursive: true });
    const hook = await writeIn(top, '.git/hooks/pre-commit', `#!/bin/sh\necho "cannot reach ${URL}" >&2\nexit 1\n`);
    await chmod(hook, 0o755);
    await using session = await connectGit({ directories: [top], allowHooks: true });
    const refused = await told(session, 'git_commit', { message: 'x', allow_empty: true });
    expect(refused).toContain('cannot reach https://ann:***@example.com');
    expect(refused).not.toContain(SECRET);
    git(top, ['config', `url.${URL}.insteadOf`, 'ssh://example.com/']);
    const untrusted = await told(session, 'git_status', {});
    expect(untrusted).toContain('REPO_UNTRUSTED');
    expect(untrusted).not.toContain(SECRET);
  });
});
