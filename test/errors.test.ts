import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { describe, expect, it } from 'vitest';

const WORKSPACE = fileURLToPath(new URL('..', import.meta.url));
const SOURCES = ['packages/decorators', 'packages/roots', 'packages/host', 'servers/fs', 'servers/git', 'servers/sql'];

async function sources(): Promise<string> {
  const texts: string[] = [];
  for (const directory of SOURCES) {
    const entries = await readdir(path.join(WORKSPACE, directory, 'src'), { recursive: true, withFileTypes: true });
    for (const entry of entries)
      if (entry.isFile() && entry.name.endsWith('.ts'))
        texts.push(await readFile(path.join(entry.parentPath, entry.name), 'utf8'));
  }
  return texts.join('\n');
}

describe('docs/errors.md', () => {
  it('lists every code that is thrown, and none that is not', async () => {
    const code = await sources();
    const page = await readFile(path.join(WORKSPACE, 'docs/errors.md'), 'utf8');
    const listed = [...page.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, name = '']) => name);
    const thrown = [...code.matchAll(/new ToolError\(\s*'([A-Z_]+)'/g)].map(([, name = '']) => name);
    expect(thrown.filter((name) => !listed.includes(name))).toEqual([]);
    expect(listed.filter((name) => !code.includes(`'${name}'`) && !code.includes(`\`${name}: `))).toEqual([]);
    expect(new Set(listed).size).toBe(listed.length);
  });
});
