import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { describe, expect, it } from 'vitest';

const WORKSPACE = fileURLToPath(new URL('..', import.meta.url));
const SOURCES = ['packages/decorators', 'packages/roots', 'packages/host', 'servers/fs', 'servers/git', 'servers/sql'];

/**
 * The directories of the packages that may throw the codes of a section of docs/reference/errors.md, by the title of the section.
 */
const SECTIONS: Readonly<Record<string, readonly string[]>> = {
  Files: ['packages/roots', 'servers/fs'],
  Git: ['packages/roots', 'servers/git'],
  SQL: ['servers/sql'],
};

async function sources(directories: readonly string[] = SOURCES): Promise<string> {
  const texts: string[] = [];
  for (const directory of directories) {
    const entries = await readdir(path.join(WORKSPACE, directory, 'src'), { recursive: true, withFileTypes: true });
    for (const entry of entries)
      if (entry.isFile() && entry.name.endsWith('.ts'))
        texts.push(await readFile(path.join(entry.parentPath, entry.name), 'utf8'));
  }
  return texts.join('\n');
}

describe('docs/reference/errors.md', () => {
  it('lists every error code that is thrown, and no other code', async () => {
    const code = await sources();
    const page = await readFile(path.join(WORKSPACE, 'docs/reference/errors.md'), 'utf8');
    const listed = codesIn(page);
    const thrown = [...code.matchAll(/new ToolError\(\s*'([A-Z_]+)'/g)].map(([, name = '']) => name);
    expect(thrown.filter((name) => !listed.includes(name))).toEqual([]);
    expect(listed.filter((name) => !code.includes(`'${name}'`) && !code.includes(`\`${name}: `))).toEqual([]);
    expect(new Set(listed).size).toBe(listed.length);
  });

  it.each(Object.entries(SECTIONS))('lists in its section %s only codes that this server throws', async (title, directories) => {
    const [code, page] = await Promise.all([
      sources(directories),
      readFile(path.join(WORKSPACE, 'docs/reference/errors.md'), 'utf8'),
    ]);
    const [, section = ''] = new RegExp(`^## ${title}\\n([^#]*)`, 'm').exec(page) ?? [];
    expect(codesIn(section)).not.toEqual([]);
    expect(codesIn(section).filter((name) => !code.includes(`'${name}'`))).toEqual([]);
  });
});

function codesIn(page: string): readonly string[] {
  return [...page.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, name = '']) => name);
}
