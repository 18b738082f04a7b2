import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { temporaryDirectory } from '../temporary.ts';

/** A directory with files of these contents, by their paths; a path that ends with a slash is a directory. */
export async function treeOf(files: Readonly<Record<string, string | Buffer>>): Promise<string> {
  const root = await temporaryDirectory();
  for (const [relative, content] of Object.entries(files)) {
    const file = path.join(root, relative);
    await mkdir(relative.endsWith('/') ? file : path.dirname(file), { recursive: true });
    if (!relative.endsWith('/')) await writeFile(file, content);
  }
  return root;
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
