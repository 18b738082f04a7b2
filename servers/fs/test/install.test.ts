import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { connectProcess, ERAS, startProgram } from '@org/mcp-testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { temporaryDirectory } from './fixtures/temporary.ts';

const run = promisify(execFile);
const WORKSPACE = fileURLToPath(new URL('../../..', import.meta.url));
const PACKED = ['packages/decorators', 'packages/roots', 'packages/watch', 'packages/host', 'servers/fs'];
const TSC = createRequire(import.meta.url)
  .resolve('typescript/package.json')
  .replace('package.json', 'bin/tsc');

const MANIFEST = {
  name: 'acme-files',
  version: '1.0.0',
  private: true,
  type: 'module',
  devDependencies: { '@types/node': '^20.19.0' },
};
const COMPILER_OPTIONS = {
  target: 'es2023',
  module: 'nodenext',
  strict: true,
  experimentalDecorators: true,
  emitDecoratorMetadata: true,
  types: ['node'],
  rootDir: 'src',
  outDir: 'dist',
};

/** Directory of a user's package in which the tarballs of the packages are installed, as a registry would deliver them. */
let home = '';

/** Returns the TypeScript blocks of a page, so that the tests compile and run the code that users copy. */
async function codeOf(page: string): Promise<readonly string[]> {
  const markdown = await readFile(path.join(WORKSPACE, page), 'utf8');
  return [...markdown.matchAll(/^```ts(?: \[[^\]]*\])?\n(.*?)^```$/gms)].map(([, code]) => code ?? '');
}

async function writeSources(): Promise<void> {
  const [acmeFiles = '', main = '', project = '', projectMain = ''] = await codeOf('docs/build/extending.md');
  const [notes = ''] = await codeOf('docs/build/servers.md');
  await mkdir(path.join(home, 'src'));
  for (const [name, code] of Object.entries({ 'acme-files': acmeFiles, main, notes, project, 'project-main': projectMain }))
    await writeFile(path.join(home, 'src', `${name}.ts`), code);
}

beforeAll(async () => {
  home = await realpath(await mkdtemp(path.join(tmpdir(), 'acme-files-')));
  const tarballs = path.join(home, 'tarballs');
  await writeFile(path.join(home, 'package.json'), JSON.stringify(MANIFEST));
  await writeFile(path.join(home, 'tsconfig.json'), JSON.stringify({ compilerOptions: COMPILER_OPTIONS, include: ['src'] }));
  await mkdir(tarballs);
  for (const directory of PACKED)
    await run('npm', ['pack', '--silent', '--pack-destination', tarballs], { cwd: path.join(WORKSPACE, directory) });
  const files = (await readdir(tarballs)).map((name) => path.join(tarballs, name));
  await run('npm', ['install', '--no-audit', '--no-fund', ...files], { cwd: home });
}, 300_000);

afterAll(() => rm(home, { recursive: true, force: true }));

describe.each(ERAS)('the packed server, installed in an empty package, on a %s connection', (era) => {
  it('answers as mcp-fs', async () => {
    const root = await temporaryDirectory();
    await writeFile(path.join(root, 'a.txt'), 'alpha');
    await using session = await connectProcess({ command: 'npx', args: ['--no-install', 'mcp-fs', root], cwd: home }, { era });
    expect(session.client.getServerVersion()).toMatchObject({ name: 'mcp-fs' });
    expect(await session.text('read_text_file', { path: 'a.txt' })).toBe('alpha');
  });
});

describe('the packed server, installed in an empty package', () => {
  it('is configured to be run by npx from anywhere', async () => {
    const { stdout } = await run('npx', ['--no-install', 'mcp-fs', 'config', 'claude-desktop', '--read-only', 'notes'], {
      cwd: home,
    });
    const args = ['-y', '@org/mcp-fs', '--read-only', path.join(home, 'notes')];
    expect(JSON.parse(stdout)).toEqual({ mcpServers: { 'mcp-fs': { command: 'npx', args } } });
  });

  it('exposes Prometheus metrics without further packages', async () => {
    const bin = path.join(home, 'node_modules/.bin/mcp-fs');
    await using running = startProgram({ command: process.execPath, args: [bin, '--http', '0', '--metrics', home] });
    const line = await running.stderr.next((text) => text.includes('serves at'));
    const response = await fetch(new URL('/metrics', line.slice(line.indexOf('http://'))));
    expect(await response.text()).toContain('mcp_calls_in_flight{server="mcp-fs"} 0\n');
  });
});

describe('the example code of the documentation', () => {
  beforeAll(async () => {
    await writeSources();
    await run(process.execPath, [TSC, '-p', home]);
  }, 120_000);

  it.each(ERAS)('works as a subclass that overrides one tool and adds others, on a %s connection', async (era) => {
    const root = await temporaryDirectory();
    await writeFile(path.join(root, 'a.txt'), 'one two one');
    await using session = await connectProcess(
      { command: process.execPath, args: [path.join(home, 'dist/main.js'), root] },
      { era },
    );
    expect(session.client.getServerVersion()).toMatchObject({ name: 'acme-files', version: '1.0.0' });
    expect((await session.toolNames()).slice(-2)).toEqual(['count_words', 'read_files']);
    expect(await session.text('read_text_file', { path: 'a.txt' })).toBe('one two one');
    expect(await session.text('read_files')).toBe('a.txt');
    expect(await session.text('count_words', { path: 'a.txt', word: 'one' })).toBe('2');
    expect(await session.fails('count_words', { path: '../x', word: 1 })).toBe(
      'INVALID_ARGUMENTS: count_words was not run\nword: expected a string, got 1',
    );
    expect(await session.fails('count_words', { path: '../x' })).toMatch(/^PATH_OUTSIDE_ROOTS/);
  });

  it.each(ERAS)('works as a subclass with another option, tool and rule, on a %s connection', async (era) => {
    const root = await temporaryDirectory();
    await mkdir(path.join(root, 'vendor'));
    for (const name of ['a.txt', 'vendor/b.txt']) await writeFile(path.join(root, name), 'one\ntwo\r\n');
    const args = [path.join(home, 'dist/project-main.js'), '--max-looked', '4', root];
    await using session = await connectProcess({ command: process.execPath, args }, { era });
    expect(await session.toolNames()).not.toContain('delete_file');
    expect(await session.text('line_ends', { path: 'a.txt' })).toBe('LF');
    expect(await session.fails('line_ends', { path: '../a.txt' })).toMatch(/^PATH_OUTSIDE_ROOTS/);
    expect(await session.text('search_files', { path: '.', pattern: '**/*.txt' })).toBe(path.join(root, 'a.txt'));
  });

  it.each(ERAS)('works as a server from scratch, on a %s connection', async (era) => {
    await using session = await connectProcess({ command: process.execPath, args: [path.join(home, 'dist/notes.js')] }, { era });
    expect(await session.text('read_note', { name: 'today' })).toBe('water the plants');
    expect((await session.call('note_stats', { name: 'today' })).structuredContent).toEqual({ words: 3 });
    expect(await session.fails('read_note', { name: 'never' })).toBe('NOT_FOUND: no note has the name "never"');
    expect((await session.client.readResource({ uri: 'notes://text/today' })).contents).toMatchObject([
      { text: 'water the plants' },
    ]);
    expect((await session.client.getPrompt({ name: 'review', arguments: { name: 'today' } })).messages).toHaveLength(1);
  });
});
