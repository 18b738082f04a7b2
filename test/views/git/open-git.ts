import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';

import { GitOptions, GitServer } from '@org/mcp-git';
import { connect, type Era, type Session, type SessionOptions } from '@org/mcp-testing';
import { onTestFinished } from 'vitest';

import { temporaryDirectory } from '../support/directories.ts';
import { APPS } from '../support/shown.ts';

/** A repository and a client that shows views. */
export interface OpenedGit {
  readonly session: Session;
  readonly root: string;
  /** Runs git in the repository. Returns its output. */
  readonly git: (...args: string[]) => string;
  readonly write: (name: string, text: string) => Promise<void>;
}

/** Connects a client that shows views to a server of a new repository, until the end of the test. */
export async function openGit(era: Era, given: Partial<GitOptions> = {}, session: SessionOptions = {}): Promise<OpenedGit> {
  const root = await temporaryDirectory();
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' };
  const git = (...args: string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8', env, stdio: 'pipe' });
  git('init', '--initial-branch=main');
  git('config', 'user.name', 'Ada');
  git('config', 'user.email', 'ada@example.com');
  const options = Object.assign(new GitOptions(), { directories: [root] }, given);
  const connected = await connect(new GitServer(options), { era, ...session, capabilities: APPS });
  onTestFinished(() => connected[Symbol.asyncDispose]());
  return {
    session: connected,
    root,
    git,
    write: (name, text) => writeFile(path.join(root, name), text),
  };
}

/** Returns numbered lines, of which some are replaced. */
export function linesWith(replaced: Readonly<Record<number, string>> = {}): string {
  return Array.from({ length: 40 }, (_, index) => `${replaced[index + 1] ?? `line ${index + 1}`}\n`).join('');
}
