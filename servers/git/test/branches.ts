import type { Session } from '@org/mcp-testing';

import { git, repositoryOf } from './temporary.ts';

/** A branch from where another begins, and what its commits write, by their messages. */
export type BranchPlan = readonly [
  name: string,
  from: string,
  commits: Readonly<Record<string, Readonly<Record<string, string>>>>,
];

/** Makes branches, in one process, and goes to `main`, whose files are as committed then. */
export function grow(top: string, ...plans: readonly BranchPlan[]): void {
  const committer = `committer Ann <ann@example.com> ${Math.floor(Date.now() / 1000)} +0000`;
  const made = new Set<string>();
  const commands = plans.flatMap(([name, from, commits]) => {
    // What the process has not made itself it looks up as any revision.
    const begin = made.has(from) ? `from refs/heads/${from}` : `from refs/heads/${from}^0`;
    made.add(name);
    return Object.entries(commits).flatMap(([message, files], position) => [
      `commit refs/heads/${name}`,
      committer,
      written(`${message}\n`),
      ...(position === 0 ? [begin] : []),
      ...Object.entries(files).flatMap(([file, content]) => [`M 100644 inline ${escaped(file)}`, written(content)]),
    ]);
  });
  git(top, ['fast-import', '--quiet'], { input: `${commands.join('\n')}\n` });
  git(top, ['reset', '--quiet', '--hard', 'main']);
}

function escaped(file: string): string {
  const special = file.replaceAll(/["\\\n]/g, (character) => (character === '\n' ? '\\n' : `\\${character}`));
  return special === file ? file : `"${special}"`;
}

function written(text: string): string {
  return `data ${Buffer.byteLength(text)}\n${text}`;
}

/**
 * `main` has a commit that changes a.txt. From the one before: `other` adds b.txt, and `topic` changes a.txt, too, then adds c.txt.
 * `ahead` is one commit before `main`.
 */
export async function forkedRepository(directory?: string): Promise<string> {
  const top = await repositoryOf([['Begin', { 'a.txt': 'one\n' }]], directory);
  grow(
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

/** The facts of an error, and its text. */
export async function failure(
  session: Session,
  name: string,
  args: Readonly<Record<string, unknown>> = {},
): Promise<{ readonly code?: unknown; readonly data?: unknown; readonly text?: unknown }> {
  const { _meta, content } = await session.client.callTool({ name, arguments: { ...args } });
  const error: unknown = _meta?.['error'];
  const [block] = content;
  return typeof error === 'object' && error !== null ? { ...error, text: block?.type === 'text' ? block.text : undefined } : {};
}
