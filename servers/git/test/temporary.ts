import { execFileSync } from 'node:child_process';
import { appendFile, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { connect, type Session, type SessionOptions } from '@org/mcp-testing';
import { onTestFinished, vi } from 'vitest';

import { GitOptions, GitServer } from '../src/index.ts';

/** A new directory, by its real path, that goes with the test. */
export async function temporaryDirectory(): Promise<string> {
  const directory = await realpath(await mkdtemp(path.join(tmpdir(), 'mcp-git-')));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

const AUTHOR = {
  GIT_AUTHOR_NAME: 'Ann',
  GIT_AUTHOR_EMAIL: 'ann@example.com',
  GIT_COMMITTER_NAME: 'Ann',
  GIT_COMMITTER_EMAIL: 'ann@example.com',
};

/** Plain git, as a user runs it; returns what it wrote. */
export function git(directory: string, args: readonly string[], options: GitOptionsOfTest = {}): string {
  const { input, env } = options;
  return execFileSync('git', args, {
    cwd: directory,
    env: { ...process.env, ...AUTHOR, ...env },
    encoding: 'utf8',
    ...(input !== undefined && { input }),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

interface GitOptionsOfTest {
  readonly input?: string | Buffer;
  readonly env?: Readonly<Record<string, string>>;
}

/** A repository on `main` without commits. */
export async function emptyRepository(directory?: string): Promise<string> {
  const top = directory ?? path.join(await temporaryDirectory(), 'project');
  await mkdir(top, { recursive: true });
  git(top, ['init', '--quiet', '--initial-branch=main']);
  await appendFile(path.join(top, '.git/config'), '[user]\n\tname = Ann\n\temail = ann@example.com\n');
  return top;
}

/** A repository with one commit for each set of files, made a minute apart. */
export async function repositoryOf(
  commits: readonly (readonly [message: string, files: Readonly<Record<string, string>>])[],
  directory?: string,
): Promise<string> {
  const top = await emptyRepository(directory);
  for (const [position, [message, files]] of commits.entries()) {
    for (const [name, content] of Object.entries(files)) await writeIn(top, name, content);
    git(top, ['add', '--all']);
    commitAt(top, message, position);
  }
  return top;
}

/** Commits what is staged, at a time of its own. */
export function commitAt(top: string, message: string, minute: number): void {
  const date = new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();
  const env = { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
  git(top, ['commit', '--quiet', '--allow-empty', '--file=-'], { input: message, env });
}

export async function writeIn(top: string, name: string, content: string): Promise<string> {
  const file = path.join(top, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, content);
  return file;
}

/** Gives the user another configuration until the test is over, for servers that are connected to after that; resolves to the home. */
export async function userConfiguration(text: string): Promise<string> {
  const home = await temporaryDirectory();
  await writeIn(home, '.gitconfig', text);
  vi.stubEnv('HOME', home);
  vi.stubEnv('XDG_CONFIG_HOME', home);
  onTestFinished(() => void vi.unstubAllEnvs());
  return home;
}

/** A client of a git server in memory; what it answers, and how long calls may take, by the third. */
export function connectGit(
  given: Partial<GitOptions>,
  era?: SessionOptions['era'],
  options: Omit<NonNullable<Parameters<typeof connect>[1]>, 'era'> = {},
): Promise<Session> {
  return connect(new GitServer(Object.assign(new GitOptions(), given)), { ...options, ...(era && { era }) });
}

/** The name in resource URIs of the only repository there is. */
export async function idOf(session: Session): Promise<string> {
  const { structuredContent } = await session.call('git_status');
  return (structuredContent as { readonly repository: string }).repository;
}
