import { cp, mkdir, mkdtemp, readFile, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { connectProcess, ERAS, runProgram, type ProgramEnd } from '@org/mcp-testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { linkPackages } from '../scripts/workspace/consumer.mjs';
import { publishedPackages } from '../scripts/workspace/packages.mjs';
import { packPackages } from '../scripts/workspace/tarballs.mjs';

const WORKSPACE = fileURLToPath(new URL('..', import.meta.url));
const PACKED = ['@org/create-mcp', '@org/mcp-decorators', '@org/mcp-host', '@org/mcp-testing'];
const CLIENTS = { 'claude-desktop': 'mcpServers', 'claude-code': 'mcpServers', vscode: 'servers', cursor: 'mcpServers' };

/** Directory of the installed packages, the created package and the copy of its bundle. */
let home = '';

/** Directory of the created package. */
let created = '';

/** Runs a program in the created package, with an npm cache that is empty at first. Rejects if the program fails. */
async function run(command: string, ...args: readonly string[]): Promise<ProgramEnd> {
  const PATH = [path.join(WORKSPACE, 'node_modules/.bin'), process.env['PATH']].join(path.delimiter);
  const end = await runProgram({
    command,
    args: [...args],
    cwd: created,
    env: { PATH, NO_COLOR: '1', npm_config_cache: path.join(home, 'cache') },
  });
  expect(end.code, `${end.stdout}\n${end.stderr}`).toBe(0);
  return end;
}

/** Packs the packages and creates a package with the packed program, as `npm create` does. */
async function createPackage(): Promise<ReadonlyMap<string, string>> {
  const directory = path.join(home, 'tarballs');
  await mkdir(directory);
  const packages = publishedPackages().filter(({ manifest }) => PACKED.includes(manifest.name));
  const { code, output, tarballs, extracted } = await packPackages(directory, packages);
  expect(code, output).toBe(0);
  await mkdir(created);
  await run(
    'npm',
    'exec',
    '--offline',
    '--yes',
    '--',
    `file:${tarballs.get('@org/create-mcp') ?? ''}`,
    '@acme/weather',
    '--directory',
    '.',
  );
  return extracted;
}

/** Installs what the created package requires: the packed packages, and the dependencies by links to those of the workspace. */
async function install(packages: ReadonlyMap<string, string>): Promise<void> {
  const modules = path.join(home, 'node_modules');
  linkPackages(modules, packages);
  const { dependencies, devDependencies } = JSON.parse(await readFile(path.join(created, 'package.json'), 'utf8'));
  const others = Object.keys({ ...dependencies, ...devDependencies }).filter((name) => !name.includes('/'));
  for (const name of others) await symlink(path.join(WORKSPACE, 'node_modules', name), path.join(modules, name), 'junction');
}

beforeAll(async () => {
  home = await realpath(await mkdtemp(path.join(tmpdir(), 'create-package-')));
  created = path.join(home, 'weather');
  await install(await createPackage());
  await run('npm', 'run', 'build');
}, 120_000);

afterAll(() => rm(home, { recursive: true, force: true }));

describe('a package that the packed create-mcp has created in an empty directory', () => {
  it('passes its own tests', async () => {
    const { stdout } = await run('npm', 'test');
    expect(stdout).toMatch(/Tests +8 passed \(8\)/);
  });

  it('prints an entry for each client that starts the server', async () => {
    const entries = Object.entries(CLIENTS).map(async ([client, key]) => {
      const { stdout } = await run(process.execPath, 'dist/main.js', 'config', client);
      const { command, args } = JSON.parse(stdout)[key].weather;
      return { command, args };
    });
    const [first, ...others] = await Promise.all(entries);
    for (const entry of others) expect(entry).toEqual(first);
    await using session = await connectProcess({ command: '', ...first, cwd: home });
    expect(session.client.getServerVersion()).toMatchObject({ name: 'weather', version: '0.1.0' });
  });

  it('is bundled into one file that needs no other package', async () => {
    await run('npm', 'run', 'bundle');
    const directory = await realpath(await mkdtemp(path.join(tmpdir(), 'bundled-')));
    try {
      await cp(path.join(created, 'bundle/main.mjs'), path.join(directory, 'main.mjs'));
      for (const era of ERAS) {
        await using session = await connectProcess({ command: process.execPath, args: ['main.mjs'], cwd: directory }, { era });
        const { structuredContent } = await session.call('count_words', { name: 'today', ignored: ['the'] });
        expect(structuredContent).toEqual({ words: 4 });
      }
      const { stdout } = await run(process.execPath, path.join(directory, 'main.mjs'), 'config', 'claude-desktop');
      expect(stdout).toContain(JSON.stringify(path.join(directory, 'main.mjs')));
    } finally {
      await rm(directory, { recursive: true });
    }
  });
});
