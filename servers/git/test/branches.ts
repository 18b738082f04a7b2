import type { Session } from '@org/mcp-testing';

import { git, repositoryOf, writeIn } from './temporary.ts';

/** A branch from where another begins, and what its commits write, by their messages. */
export type BranchPlan = readonly [
  name: string,
  from: string,
  commits: Readonly<Record<string, Readonly<Record<string, string>>>>,
];

/** Makes branches and goes back to `main`. */
export async function grow(top: string, ...plans: readonly BranchPlan[]): Promise<void> {
  for (const [name, from, commits] of plans) {
    git(top, ['switch', '--quiet', ...(name === 'main' ? [name] : ['--create', name, from])]);
    for (const [message, files] of Object.entries(commits)) {
      for (const [file, content] of Object.entries(files)) await writeIn(top, file, content);
      git(top, ['add', '--all']);
      git(top, ['commit', '--quiet', '--allow-empty', `--message=${message}`]);
    }
  }
  git(top, ['switch', '--quiet', 'main']);
}

/**
 * `main` has a commit that changes a.txt. From the one before: `other` adds b.txt, and `topic` changes a.txt, too, then adds c.txt.
 * `ahead` is one commit before `main`.
 */
export async function forkedRepository(directory?: string): Promise<string> {
  const top = await repositoryOf([['Begin', { 'a.txt': 'one\n' }]], directory);
  await grow(
    top,
    ['other', 'main', { Other: { 'b.txt': 'b\n' } }],
    ['topic', 'main', { Topic: { 'a.txt': 'topic\n' }, More: { 'c.txt': 'c\n' } }],
    ['main', 'main', { Main: { 'a.txt': 'main\n' } }],
    ['ahead', 'main', { Ahead: { 'd.txt': 'd\n' } }],
  );
  return top;
}

export function oidOf(top: string, revision: string): string {
  return git(top, ['rev-parse', revision]).trim();
}

/** What is left in the git directory of something that was begun, and of locks. */
export function statusOf(top: string): string {
  return git(top, ['status', '--porcelain', '--untracked-files=all']);
}

/** The facts of an error, besides its text. */
export async function failure(
  session: Session,
  name: string,
  args: Readonly<Record<string, unknown>> = {},
): Promise<{ readonly code?: unknown; readonly data?: unknown }> {
  const { _meta } = await session.client.callTool({ name, arguments: { ...args } });
  const error: unknown = _meta?.['error'];
  return typeof error === 'object' && error !== null ? error : {};
}
