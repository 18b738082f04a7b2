import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import type { Era, Session } from '@org/mcp-testing';
import { afterAll, beforeAll } from 'vitest';

import type { FilesystemOptions } from '../../src/index.ts';
import { connectFiles, temporaryDirectory } from '../temporary.ts';

/** Contents of files by their paths; a path that ends with a slash is a directory. */
export type Tree = Readonly<Record<string, string | Buffer>>;

/** A directory with these files. @param above where it is made */
export async function treeOf(files: Tree, above?: string): Promise<string> {
  const root = await temporaryDirectory(above);
  fill(root, files);
  return root;
}

/** A directory with files, and a client of a server for it. */
export interface Shared {
  readonly root: string;
  readonly session: Session;
}

/** One for all tests of a block, which do not change it: a server has threads, and they take a while to start. */
export function shareFiles(files: Tree, given: Partial<FilesystemOptions> = {}, era?: Era): Shared {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'mcp-fs-')));
  let opened: Session | undefined;
  beforeAll(async () => {
    fill(root, files);
    opened = await connectFiles({ directories: [root], stateDir: `${root}-state`, ...given }, era);
  });
  afterAll(async () => {
    await opened?.[Symbol.asyncDispose]();
    for (const directory of [root, `${root}-state`]) rmSync(directory, { recursive: true, force: true });
  });
  return {
    root,
    get session() {
      if (opened === undefined) throw new Error('the tests have not begun');
      return opened;
    },
  };
}

function fill(root: string, files: Tree): void {
  for (const [relative, content] of Object.entries(files)) {
    const file = path.join(root, relative);
    mkdirSync(relative.endsWith('/') ? file : path.dirname(file), { recursive: true });
    if (!relative.endsWith('/')) writeFileSync(file, content);
  }
}

/** Reads all pages of an answer. */
export async function pagesOf<Page extends { readonly nextCursor?: unknown }>(
  ask: (cursor: Readonly<Record<string, unknown>>) => Promise<Page>,
): Promise<readonly Page[]> {
  const pages = [await ask({})];
  for (let cursor = pages[0]?.nextCursor; cursor !== undefined; cursor = pages.at(-1)?.nextCursor)
    pages.push(await ask({ cursor }));
  return pages;
}
