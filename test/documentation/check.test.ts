import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { describe, expect, it, onTestFinished } from 'vitest';

import { findCodeProblems } from '../../scripts/check/docs/code.mjs';
import { findDeadLinks } from '../../scripts/check/docs/links.mjs';

const WORKSPACE = fileURLToPath(new URL('../..', import.meta.url));
const REPOSITORY = 'https://github.com/org/mcp';

/** Writes a page outside the repository. Resolves to its path relative to the repository. */
async function plant(text: string): Promise<string> {
  const directory = await realpath(await mkdtemp(path.join(tmpdir(), 'page-')));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const file = path.join(directory, 'page.md');
  await writeFile(file, text);
  return path.relative(WORKSPACE, file);
}

function block(head: string, code: string): string {
  return `\`\`\`${head}\n${code}\n\`\`\`\n`;
}

describe('a link in a page', () => {
  it.each([
    ['to a missing file', '[a](none.md)', 'names no file'],
    ['to a missing heading of the page', '# Title\n\n[a](#titel)', 'names no heading of the page'],
    ['to a missing heading of another page', '[a](page.md#none)', 'names no heading of that page'],
    ['to a missing file of the repository', `[a](${REPOSITORY}/blob/main/none.md)`, 'names no file of the branch main'],
    ['to a directory as a file', `[a](${REPOSITORY}/blob/main/docs)`, 'needs tree'],
    ['to a missing picture', '<img src="none.svg">', 'names no file'],
  ])('is reported: %s', async (_, text, problem) => {
    const file = await plant(text);
    expect(findDeadLinks([file])).toEqual([expect.stringMatching(`page\\.md: the link .* ${problem}`)]);
  });

  it('is accepted to a file, a heading and another site, and ignored in code', async () => {
    const text = `# A title, with \`code\`\n\n[a](page.md) [b](#a-title-with-code) [c](https://example.org/none)\n\n${block('text', '[d](none.md)')}`;
    expect(findDeadLinks([await plant(text)])).toEqual([]);
  });
});

describe('a code block in a page', () => {
  it.each([
    ['a type error', block('ts [src/a.ts]', 'export const a: string = 1;'), "error TS2322|Type 'number' is not assignable"],
    ['a mistake across files', block('ts [src/a.ts]', "import { b } from './b.js';\nb();"), 'Cannot find module'],
    ['an excerpt that no test contains', block('ts', 'const unknownExcerpt = 1;'), 'no source or test contains this excerpt'],
    ['a flag that does not exist', block('sh', 'npx -y @org/mcp-fs --reed-only ~/docs'), 'the program has no flag --reed-only'],
    ['a flag of another server', block('sh', 'mcp-git --writable .'), 'the program has no flag --writable'],
    [
      'a flag in an entry of a client',
      block('json', '{ "mcpServers": { "a": { "args": ["-y", "@org/mcp-sql", "--smaple"] } } }'),
      'the program has no flag --smaple',
    ],
    ['a mistake in a shell script', block('sh', 'if true; then'), 'syntax error'],
    ['invalid JSON', block('json', '{ "a": }'), 'JSON'],
    ['invalid YAML', block('yaml', 'a: [1'), 'Flow sequence'],
    ['invalid TOML', block('toml', 'a ='), 'Invalid TOML'],
    ['invalid SQL', block('sql', 'select from from'), 'syntax error'],
    ['no language', block('', 'output'), 'the language "" of a code block is not known'],
  ])('is reported with its line: %s', { timeout: 60_000 }, async (_, text, problem) => {
    const problems = await findCodeProblems([await plant(`# Page\n\n${text}`)]);
    expect(problems).toEqual([expect.stringMatching(new RegExp(`page\\.md:[34]: [^]*(${problem})`))]);
  });
});
