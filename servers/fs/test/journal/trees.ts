import { chmod, mkdir, readdir, readFile, readlink, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

import type { Session } from '@org/mcp-testing';

import { temporaryDirectory } from '../temporary.ts';

/** The `undoId` of a change that succeeds. */
export async function undoIdOf(session: Session, tool: string, input: Readonly<Record<string, unknown>>): Promise<string> {
  const { structuredContent, _meta } = await session.call(tool, input);
  return ((structuredContent ?? _meta) as { readonly undoId: string }).undoId;
}

/** Every file, link and directory below, by its path, with its mode. */
export async function treeOf(root: string): Promise<Readonly<Record<string, string>>> {
  const tree: Record<string, string> = {};
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    const mode = entry.isSymbolicLink() ? `-> ${await readlink(file)}` : ((await stat(file)).mode & 0o777).toString(8);
    tree[path.relative(root, file)] = entry.isFile() ? `${mode} ${await readFile(file, 'base64')}` : mode;
  }
  return tree;
}

/** A directory with files and directories of several modes, and a link. */
export async function place(): Promise<string> {
  const root = await temporaryDirectory();
  await mkdir(path.join(root, 'sub/deep'), { recursive: true });
  await chmod(path.join(root, 'sub/deep'), 0o700);
  await writeFile(path.join(root, 'a'), Buffer.from([0xef, 0xbb, 0xbf, 0x61, 0x0d, 0x0a]));
  await writeFile(path.join(root, 'sub/b'), Buffer.from([0xff, 0x00]));
  await chmod(path.join(root, 'a'), 0o640);
  await writeFile(path.join(root, 'sub/deep/c'), 'gamma');
  await symlink('../a', path.join(root, 'sub/link'));
  return root;
}
