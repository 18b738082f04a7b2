import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { describe, expect, it, onTestFinished } from 'vitest';

const SCRIPT = fileURLToPath(new URL('../scripts/words.mjs', import.meta.url));

/** Builds a sentence from single words, because the check also reads this file. */
function sentence(...words: readonly string[]): string {
  return words.join(' ');
}

const TOLD = sentence('The', 'client', 'is', 'told.');

/** Runs the check on a directory with these files. Returns the lines that the check prints. */
async function check(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const root = await mkdtemp(path.join(tmpdir(), 'words-'));
  onTestFinished(() => rm(root, { recursive: true }));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.join(root, path.dirname(name)), { recursive: true });
    await writeFile(path.join(root, name), text);
  }
  return new Promise((resolve) => {
    execFile(process.execPath, [SCRIPT, '.'], { cwd: root }, (_, stdout, stderr) =>
      resolve((stdout + stderr).trim().split('\n')),
    );
  });
}

describe('the check of the wording', () => {
  it.each([
    ['Of', 'the', 'rows', 'that', 'were', 'read.'],
    ['By', 'its', 'name.'],
    ['As', 'the', 'client', 'wants.'],
    ['Who', 'calls', 'a', 'tool.'],
    ['What', 'was', 'cut.'],
    ['Those', 'that', 'remain.'],
    ['Where', 'the', 'file', 'is.'],
    ['Clients', 'are', 'told', 'of', 'it.'],
    ['Nobody', 'reads', 'it.'],
    ['The', 'names', 'are', 'none.'],
    ['Waits', 'so', 'long.'],
    ['This', 'belongs', 'into', 'a', 'file.'],
  ])('finds "%s %s …" in a comment and on a page', async (...words) => {
    const text = sentence(...words);
    const lines = await check({ 'a.ts': `// A comment. ${text}\nexport {};\n`, 'a.md': `A page.\n\n* ${text}\n` });
    expect(lines.map((line) => line.replace(/\[.*\]/, '[…]')).toSorted()).toEqual(
      ['2 sentences', `a.md:3: […] ${text}`, `a.ts:1: […] ${text}`].toSorted(),
    );
  });

  it.each([
    ['a doc comment', `/**\n * Returns a value.\n * @param a ${TOLD}\n */\nexport const a = 1;`],
    ['a comment of two lines', `// The client is\n// ${sentence('told', 'of', 'it.')}\nexport {};`],
    ['a description', `@Tool({ description: '${TOLD}' }) class A {}`],
    ['a template', `export const a = (name) => \`${sentence('tells', 'of')} \${name}\`;`],
    ['a test title', `it('${sentence('is', 'told', 'the', 'reason')}', () => undefined);`],
  ])('reads %s', async (_, code) => {
    expect((await check({ 'a.ts': code })).at(-1)).toBe('1 sentence');
  });

  it.each([
    ['a question', "ask('Who are you?');"],
    ['a comment line that continues', '// The server does the same\n// As the client does.\nexport {};'],
    ['names of code', '// Calls `told` and `isTold`.\nexport {};'],
    ['SQL', `run('${sentence('select', 'told', 'from', 'notes')}');`],
    ['a regular expression', `new RegExp('${sentence('is', '\\\\s', 'told')}');`],
    ['a one-word string', "send('nobody');"],
    ['a temporal "as"', "log('waits so long as the lock is held');"],
  ])('accepts %s', async (_, code) => {
    expect(await check({ 'a.ts': code })).toEqual(['0 sentences']);
  });

  it('reads headings, cells and paragraphs of a page, and no code', async () => {
    const page = [
      '# Of all',
      '',
      '| a | By name |',
      '|---|---|',
      '',
      'A client',
      sentence('is', 'told.'),
      '',
      '```',
      TOLD,
      '```',
      '',
    ];
    const lines = await check({ 'a.md': page.join('\n') });
    expect(lines.map((line) => line.split(' ', 2).join(' '))).toEqual([
      'a.md:1: [Of]',
      'a.md:3: [By]',
      'a.md:6: [told]',
      '3 sentences',
    ]);
  });

  it('reads the comments and texts of components', async () => {
    const lines = await check({ 'a.tsx': `/** ${TOLD} */\nexport const a = <p title="${TOLD}">${TOLD}</p>;\n` });
    expect(lines.at(-1)).toBe('3 sentences');
  });

  it('reads changesets without their front matter', async () => {
    const changeset = `---\n'@org/mcp-fs': minor\n---\n\n- ${TOLD}\n`;
    expect(await check({ '.changeset/a.md': changeset })).toEqual([`.changeset/a.md:5: [told] ${TOLD}`, '1 sentence']);
  });

  it('ignores generated files and other hidden folders', async () => {
    const paths = ['CHANGELOG.md', 'a.api.md', 'docs/reference/a.md', '.cache/a.md', 'dist/a.js', 'node_modules/a/a.md'];
    expect(await check(Object.fromEntries(paths.map((name) => [name, `// ${TOLD}\n`])))).toEqual(['0 sentences']);
  });
});
