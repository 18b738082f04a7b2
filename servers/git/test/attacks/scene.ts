import { rm, symlink } from 'node:fs/promises';
import path from 'node:path';

import { repositoryOf, temporaryDirectory } from '../temporary.ts';

/** A root, a repository inside it and one outside. */
export interface Scene {
  /** The only directory that is allowed. */
  readonly root: string;
  /** A repository inside it. */
  readonly top: string;
  /** A repository beside the root. */
  readonly outside: string;
}

export async function scene(): Promise<Scene> {
  const base = await temporaryDirectory();
  const root = path.join(base, 'safe');
  const top = await repositoryOf([['Inside', { 'a.txt': 'x\n' }]], path.join(root, 'project'));
  const outside = await repositoryOf([['SECRET', { 'secret.txt': 'SECRET\n' }]], path.join(base, 'safe_evil'));
  return { root, top, outside };
}

export async function replaceByLink(file: string, target: string): Promise<void> {
  await rm(file, { recursive: true, force: true });
  await symlink(target, file);
}
