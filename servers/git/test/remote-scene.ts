import path from 'node:path';

import type { Session } from '@org/mcp-testing';

import { gitHost, sourceRepository, type GitHost } from './git-host.ts';
import { connectGit, git, temporaryDirectory, writeIn } from './temporary.ts';

/** A host with a repository, and a clone of it. */
export interface Scene {
  readonly host: GitHost;
  /** The bare repository at the host. */
  readonly bare: string;
  /** A clone of it, in the only directory that is allowed. */
  readonly top: string;
  readonly root: string;
}

export async function scene(): Promise<Scene> {
  const host = await gitHost();
  const bare = await host.add('project', await sourceRepository());
  const root = await temporaryDirectory();
  const top = path.join(root, 'project');
  git(root, ['clone', '--quiet', bare, top]);
  git(top, ['remote', 'set-url', 'origin', host.url('project')]);
  git(top, ['config', 'user.name', 'Ann']);
  git(top, ['config', 'user.email', 'ann@example.com']);
  return { host, bare, top, root };
}

export function connectTo(
  { host, root }: Pick<Scene, 'host' | 'root'>,
  more: Parameters<typeof connectGit>[2] = {},
): Promise<Session> {
  return connectGit({ directories: [root], remoteHosts: [host.origin] }, undefined, more);
}

export function oidOf(top: string, revision: string): string {
  return git(top, ['rev-parse', revision]).trim();
}

/** Commits on the current branch; returns the commit. */
export function extend(top: string, name: string): string {
  git(top, ['commit', '--quiet', '--allow-empty', `--message=${name}`]);
  return oidOf(top, 'HEAD');
}

/** A commit on a branch at the host, made elsewhere. */
export async function extendThere(bare: string, branch: string, name: string): Promise<string> {
  const other = path.join(await temporaryDirectory(), 'other');
  git(bare, ['clone', '--quiet', '--branch', branch, bare, other]);
  await writeIn(other, `${name}.txt`, 'x\n');
  git(other, ['add', '--all']);
  const oid = extend(other, name);
  git(other, ['push', '--quiet']);
  return oid;
}
