import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { connectProcess, ERAS, runProgram, type Session } from '@org/mcp-testing';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { linkPackages } from '../scripts/workspace/consumer.mjs';
import { publishedPackages } from '../scripts/workspace/packages.mjs';

const run = promisify(execFile);
const WORKSPACE = fileURLToPath(new URL('..', import.meta.url));
const SERVERS = ['fs', 'git', 'sql'];
const BUNDLERS = ['esbuild', 'rolldown'];
const WORKER_ENTRY = ", 'search-worker': '@org/mcp-fs/search-worker'";

const COMPILER_OPTIONS = {
  target: 'es2023',
  module: 'nodenext',
  types: ['node'],
  strict: true,
  skipLibCheck: true,
  experimentalDecorators: true,
  emitDecoratorMetadata: true,
  rootDir: 'src',
  outDir: 'dist',
};

/**
 * The file name of the code block in docs/build/extending.md that defines a subclass, by server. The block after it contains the
 * program that starts the subclass.
 */
const CLASSES: Readonly<Record<string, string>> = { fs: 'src/project.ts', git: 'src/team-git.ts', sql: 'src/team-sql.ts' };

/** Directory of the packages, and of an application for each server. */
let home = '';

/** Returns the blocks of code in a page. */
async function readCode(page: string): Promise<readonly { readonly head: string; readonly code: string }[]> {
  const text = await readFile(path.join(WORKSPACE, page), 'utf8');
  return Array.from(text.matchAll(/^```(.+)\n([^]*?)^```$/gm), ([, head = '', code = '']) => ({ head, code }));
}

async function installPackages(): Promise<void> {
  const packages = new Map<string, string>();
  for (const { directory, manifest } of publishedPackages()) {
    const target = path.join(home, 'packages', directory);
    const parts = ['package.json', 'dist', 'lib'].filter((part) => existsSync(path.join(WORKSPACE, directory, part)));
    for (const part of parts) await cp(path.join(WORKSPACE, directory, part), path.join(target, part), { recursive: true });
    packages.set(manifest.name, target);
  }
  const modules = path.join(home, 'node_modules');
  linkPackages(modules, packages);
  for (const bundler of BUNDLERS) await symlink(path.join(WORKSPACE, 'node_modules', bundler), path.join(modules, bundler));
}

/** Compiles the example of a server and bundles it with each bundler, by the scripts of the documentation. */
async function bundle(server: string): Promise<void> {
  const application = path.join(home, server);
  await mkdir(path.join(application, 'src'), { recursive: true });
  const blocks = await readCode('docs/build/extending.md');
  const first = blocks.findIndex(({ head }) => head === `ts [${CLASSES[server] ?? ''}]`);
  for (const { head, code } of blocks.slice(first, first + 2))
    await writeFile(path.join(application, head.slice(head.indexOf('[') + 1, -1)), code);
  await writeFile(path.join(application, 'package.json'), '{ "type": "module" }');
  await writeFile(path.join(application, 'tsconfig.json'), JSON.stringify({ compilerOptions: COMPILER_OPTIONS }));
  await run(process.execPath, [path.join(WORKSPACE, 'node_modules/typescript/bin/tsc'), '-p', application]);
  const scripts = (await readCode('docs/build/bundling.md')).filter(({ head }) => head === 'js [build.mjs]');
  for (const [index, bundler] of BUNDLERS.entries()) {
    const script = scripts[index]?.code ?? '';
    expect(script).toContain(`from '${bundler}'`);
    await writeFile(path.join(application, 'build.mjs'), server === 'fs' ? script : script.replace(WORKER_ENTRY, ''));
    await run(process.execPath, ['build.mjs'], { cwd: application });
    await rename(path.join(application, 'bundle'), path.join(application, bundler));
  }
}

/** Creates a git repository without commits, with one untracked file. */
async function createRepository(): Promise<string> {
  const top = await realpath(await mkdtemp(path.join(tmpdir(), 'bundled-')));
  onTestFinished(() => rm(top, { recursive: true, force: true }));
  await writeFile(path.join(top, 'a.txt'), 'one\n');
  await run('git', ['init', '--quiet', top]);
  for (const [key, value] of [
    ['user.name', 'Ann'],
    ['user.email', 'ann@example.org'],
  ] as const)
    await run('git', ['-C', top, 'config', key, value]);
  return top;
}

beforeAll(async () => {
  home = await realpath(await mkdtemp(path.join(tmpdir(), 'bundling-')));
  await installPackages();
  for (const server of SERVERS) await bundle(server);
}, 120_000);

afterAll(() => rm(home, { recursive: true, force: true }));

describe.each(BUNDLERS.flatMap((bundler) => ERAS.map((era) => [bundler, era] as const)))(
  'a program that %s has bundled, in the %s era,',
  (bundler, era) => {
    const connect = (server: string, argument: string): Promise<Session> =>
      connectProcess({ command: process.execPath, args: [path.join(home, server, bundler, 'main.js'), argument] }, { era });

    it('searches and writes as a subclass of FilesystemServer', async () => {
      const top = await createRepository();
      await using session = await connect('fs', top);
      expect(await session.text('search_files', { path: '.', pattern: '*.txt' })).toBe(path.join(top, 'a.txt'));
      expect(await session.text('search_content', { path: '.', pattern: 'one' })).toContain('a.txt');
      await session.call('write_file', { path: 'b.txt', content: 'two\n' });
      expect(await readFile(path.join(top, 'b.txt'), 'utf8')).toBe('two\n');
      expect(await session.text('line_ends', { path: 'b.txt' })).toBe('LF');
    });

    it('reads and commits as a subclass of GitServer', async () => {
      await using session = await connect('git', await createRepository());
      expect(await session.text('git_status')).toContain('a.txt');
      await session.call('git_add', { all: true });
      expect(await session.text('git_commit', { message: 'ACME-1 Begin' })).toContain('ACME-1 Begin (1 file)');
      expect(await session.text('committers')).toBe('     1\tAnn\n');
    });

    it('starts and lists its tools as a subclass of PostgresServer', async () => {
      await using session = await connect('sql', 'postgres://nobody:x@127.0.0.1:1/none');
      expect(await session.toolNames()).toEqual(expect.arrayContaining(['query', 'largest_tables']));
      expect(await session.fails('query', { sql: 'select 1' })).toMatch(/^CONNECTION: the database cannot be reached/);
    });
  },
);

describe('the entry for a client', () => {
  it.each(BUNDLERS)('is printed by a program that %s has bundled', async (bundler) => {
    const file = path.join(home, 'git', bundler, 'main.js');
    const { code, stdout, stderr } = await runProgram({ command: process.execPath, args: [file, 'config', 'vscode'] });
    expect(code, stderr).toBe(0);
    expect(stdout).toContain(JSON.stringify(file));
  });
});

describe.each(BUNDLERS)('a program that %s has bundled without the entry of the search threads', (bundler) => {
  it('does not start, and names the missing file and the documentation', async () => {
    const top = await createRepository();
    const incomplete = path.join(home, 'fs', `${bundler}-incomplete`);
    await cp(path.join(home, 'fs', bundler), incomplete, { recursive: true });
    await rm(path.join(incomplete, 'search-worker.js'));
    const { code, stderr } = await runProgram({ command: process.execPath, args: [path.join(incomplete, 'main.js'), top] });
    expect(code).not.toBe(0);
    expect(stderr).toContain(`the program of the search threads does not exist: ${path.join(incomplete, 'search-worker.js')}`);
    expect(stderr).toContain('docs/build/bundling.md');
  });

  it('reports an internal error, not an error of the file system, if the file is removed later', async () => {
    const top = await createRepository();
    const replaced = path.join(home, 'fs', `${bundler}-replaced`);
    await cp(path.join(home, 'fs', bundler), replaced, { recursive: true });
    await using session = await connectProcess({ command: process.execPath, args: [path.join(replaced, 'main.js'), top] });
    await session.toolNames(); // the server has started
    await rm(path.join(replaced, 'search-worker.js'));
    expect(await session.fails('search_files', { path: '.', pattern: '*' })).toBe(
      'INTERNAL: search_files failed because of an internal error',
    );
  });
});
