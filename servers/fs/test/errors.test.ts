import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { describe, expect, it } from 'vitest';

const WORKSPACE = fileURLToPath(new URL('../../..', import.meta.url));
const SOURCES = ['packages/decorators/src', 'packages/roots/src', 'servers/fs/src'];

async function codesIn(directory: string): Promise<readonly string[]> {
  const entries = await readdir(path.join(WORKSPACE, directory), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.ts'));
  const texts = await Promise.all(files.map((entry) => readFile(path.join(entry.parentPath, entry.name), 'utf8')));
  return texts.flatMap((text) =>
    [...text.matchAll(/new ToolError\(\s*'([A-Z_]+)'|`(INTERNAL): /g)].map(([, code, internal]) => code ?? internal ?? ''),
  );
}

describe('docs/errors.md', () => {
  it('lists every code that is thrown, and no other', async () => {
    const thrown = new Set((await Promise.all(SOURCES.map(codesIn))).flat());
    const page = await readFile(path.join(WORKSPACE, 'docs/errors.md'), 'utf8');
    const listed = [...page.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, code]) => code);
    expect(new Set(listed)).toEqual(thrown);
    expect(listed).toHaveLength(thrown.size);
  });
});
