import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { describe, expect, it, onTestFinished } from 'vitest';

const SCRIPT = fileURLToPath(new URL('../scripts/structure.mjs', import.meta.url));

interface Report {
  readonly code: number;
  readonly lines: readonly string[];
}

/** Runs the check on a directory with these files, given by their paths. */
async function check(files: Readonly<Record<string, string>>): Promise<Report> {
  const root = await mkdtemp(path.join(tmpdir(), 'structure-'));
  onTestFinished(() => rm(root, { recursive: true }));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.join(root, path.dirname(name)), { recursive: true });
    await writeFile(path.join(root, name), text);
  }
  return new Promise((resolve) => {
    execFile(process.execPath, [SCRIPT, root], (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), lines: (stdout + stderr).trim().split('\n') }),
    );
  });
}

const NOTHING = ['class towers: 0', 'circles: 0', 'two-way folders: 0', 'upward imports: 0', 'large folders: 0'];

describe('the check of the structure', () => {
  it('accepts imports that go one way and prints the files and lines of the sources', async () => {
    const report = await check({
      'packages/host/src/index.ts': "export { a } from './a.ts';\n",
      'packages/host/src/a.ts': 'export const a = 1;\nexport const b = 2;\n',
      'packages/host/test/a.test.ts': "import '../src/index.ts';\n",
    });
    const sizes = ['packages/host/src: 2 files, 3 lines', 'all sources: 2 files, 3 lines'];
    expect(report).toEqual({ code: 0, lines: [...sizes, ...NOTHING] });
  });

  it.each([
    ['an import', "import { b } from './b.ts';"],
    ['an import of a type', "import type { b } from './b.ts';"],
    ['an import for its side effects', "import './b.ts';"],
    ['a re-export', "export { b } from './b.ts';"],
    ['a re-export of everything', "export * from './b.ts';"],
    ['an import at run time', "export const b = () => import('./b.ts');"],
    ['a type by import()', "export type B = import('./b.ts').B;"],
  ])('finds a circular import that is closed by %s', async (_, line) => {
    const { code, lines } = await check({
      'servers/fs/src/a.ts': line,
      'servers/fs/src/b.ts': "import { c } from './c.ts';",
      'servers/fs/src/c.ts': "import { a } from './a.ts';",
    });
    expect(code).toBe(1);
    expect(lines).toContain('circles: 1');
    expect(lines).toContain('  servers/fs/src/c.ts → servers/fs/src/b.ts → servers/fs/src/a.ts');
  });

  it('finds a circular import by the names of compiled files', async () => {
    const { code, lines } = await check({
      'examples/notes/src/a.ts': "import './b.js';",
      'examples/notes/src/b.ts': "import './a.js';",
    });
    expect(code).toBe(1);
    expect(lines).toContain('  examples/notes/src/b.ts → examples/notes/src/a.ts');
  });

  it('ignores imports in comments and strings', async () => {
    const { lines } = await check({
      'test/a.ts': "// import './b.ts';\nexport const a = \"import './b.ts'\";",
      'test/b.ts': "import './a.ts';",
    });
    expect(lines).toEqual(['all sources: 0 files, 0 lines', ...NOTHING]);
  });

  it('finds two folders that import each other, even if one contains the other', async () => {
    const { code, lines } = await check({
      'bench/a.mjs': "import './inner/b.mjs';",
      'bench/inner/b.mjs': "import '../c.mjs';",
      'bench/c.mjs': '',
    });
    expect(code).toBe(1);
    expect(lines).toContain('  bench ↔ bench/inner (bench/a.mjs → bench/inner/b.mjs; bench/inner/b.mjs → bench/c.mjs)');
  });

  it.each([
    ['from a higher layer', 'packages/roots/src/policy/a.ts', 'packages/roots/src/handles/b.ts'],
    ['from another folder of the same layer', 'packages/roots/src/policy/a.ts', 'packages/roots/src/boundary/b.ts'],
    ['from a folder without a layer', 'packages/roots/src/policy/a.ts', 'packages/roots/src/new/b.ts'],
    ['from a folder that is excluded', 'servers/sql/src/postgres/policy/parse/a.ts', 'servers/sql/src/result-store/b.ts'],
  ])('finds an import %s', async (_, file, imported) => {
    const specifier = path.posix.relative(path.posix.dirname(file), imported);
    const { code, lines } = await check({ [file]: `import '${specifier}';`, [imported]: '' });
    expect(code).toBe(1);
    expect(lines).toContain(`  ${file} → ${imported}`);
  });

  it('finds a file in a folder without a layer', async () => {
    const { code, lines } = await check({ 'packages/roots/src/new/b.ts': '' });
    expect(code).toBe(1);
    expect(lines).toContain('  packages/roots/src/new/b.ts: no layer');
  });

  it('reads the components of views', async () => {
    const { code, lines } = await check({
      'servers/fs/views/a.tsx': "import './b.tsx';\nexport const a = <p />;",
      'servers/fs/views/b.tsx': "import './a.tsx';",
    });
    expect(code).toBe(1);
    expect(lines).toContain('  servers/fs/views/b.tsx → servers/fs/views/a.tsx');
  });

  it.each([
    [25, 0],
    [26, 1],
  ])('counts the files of a folder: %i files', async (count, problems) => {
    const names = Array.from({ length: count }, (_, index) => [`scripts/${index}.mjs`, ''] as const);
    const { code, lines } = await check({ ...Object.fromEntries(names), 'scripts/inner/a.mjs': '' });
    expect(code).toBe(problems);
    expect(lines).toContain(`large folders: ${problems}`);
  });

  it('finds server classes with two ancestors, even in other files and packages', async () => {
    const { code, lines } = await check({
      'packages/host/src/options.ts': 'export class ServerOptions {}\nexport class DirectoryOptions extends ServerOptions {}',
      'packages/host/src/top.ts':
        'export class Top {}\nexport class Middle extends Top {}\nexport class Bottom extends Middle {}',
      'servers/fs/src/one.ts': "import { Top as Base } from '@org/mcp-host';\nexport class One extends Base {}",
      'servers/fs/src/two.ts': "import { One } from './one.ts';\nexport class Two extends One {}",
      'servers/fs/src/options.ts':
        "import { DirectoryOptions } from '@org/mcp-host';\nexport class FsOptions extends DirectoryOptions {}",
      'servers/fs/src/failure.ts': 'export class Failure extends Error {}\nexport class NotFound extends Failure {}',
    });
    expect(code).toBe(1);
    expect(lines).toContain('class towers: 1');
    expect(lines).toContain('  servers/fs/src/two.ts: Two → One → Top');
  });
});
