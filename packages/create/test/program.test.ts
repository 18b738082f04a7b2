import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { runProgram, type ProgramEnd } from '@org/mcp-testing';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';

const PROGRAM = fileURLToPath(new URL('../dist/bin.js', import.meta.url));
const WORKSPACE = new URL('../../../', import.meta.url);

const FILES = [
  '.gitignore',
  'README.md',
  'bundle.mjs',
  'package.json',
  'src/main.ts',
  'src/server.ts',
  'test/server.test.ts',
  'tsconfig.build.json',
  'tsconfig.json',
];

/** The working directory of the program. */
let home = '';

beforeEach(async () => {
  home = await realpath(await mkdtemp(path.join(tmpdir(), 'create-')));
  onTestFinished(() => rm(home, { recursive: true }));
});

function create(...args: readonly string[]): Promise<ProgramEnd> {
  return runProgram({ command: process.execPath, args: [PROGRAM, ...args], cwd: home });
}

/** Returns the sorted paths of all files below the working directory. */
async function listFiles(): Promise<readonly string[]> {
  const entries = await readdir(home, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.map(({ parentPath, name }) => path.relative(home, path.join(parentPath, name)).replaceAll('\\', '/')).toSorted();
}

interface Manifest {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

async function readManifest(file: string | URL): Promise<Manifest> {
  return JSON.parse(await readFile(file, 'utf8'));
}

describe('create-mcp', () => {
  it('writes a package that has the given name in all of its files', async () => {
    expect(await create('@acme/weather-station')).toMatchObject({ code: 0, stderr: '' });
    expect(await listFiles()).toEqual(FILES.map((file) => `weather-station/${file}`));
    const manifest = await readManifest(path.join(home, 'weather-station/package.json'));
    expect(manifest).toMatchObject({ name: '@acme/weather-station', private: true, type: 'module' });
    const text = async (file: string): Promise<string> => readFile(path.join(home, 'weather-station', file), 'utf8');
    expect(await text('src/server.ts')).toMatch(/name: 'weather-station',[^]*class WeatherStationServer \{/);
    for (const file of FILES) expect(await text(file)).not.toMatch(/template-?server/i);
  });

  it('requires the versions of the packages with which this repository is tested', async () => {
    await create('weather');
    const { dependencies, devDependencies } = await readManifest(path.join(home, 'weather/package.json'));
    const { devDependencies: tested } = await readManifest(new URL('package.json', WORKSPACE));
    const { version } = await readManifest(new URL('packages/decorators/package.json', WORKSPACE));
    expect(dependencies).toEqual({
      '@org/mcp-decorators': `^${version}`,
      '@org/mcp-host': `^${version}`,
      'class-validator': tested['class-validator'],
    });
    expect(devDependencies).toEqual({
      '@org/mcp-testing': `^${version}`,
      '@types/node': tested['@types/node'],
      esbuild: tested['esbuild'],
      typescript: tested['typescript'],
      vitest: tested['vitest'],
    });
  });

  it('prints the next steps', async () => {
    const { stdout } = await create('weather', '--directory', 'my servers/weather');
    expect(stdout).toMatch(
      /^Created weather in my servers\/weather\. Next, run:\n\n {2}cd "my servers\/weather"\n {2}npm install\n/,
    );
    expect(await listFiles()).toContain('my servers/weather/package.json');
  });

  it('uses an empty directory, such as the current one', async () => {
    const { code, stdout } = await create('weather', '--directory', '.');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Created weather in this directory\. Next, run:\n\n {2}npm install\n/);
    expect(await listFiles()).toEqual(FILES);
  });

  it('writes nothing into a directory that is not empty', async () => {
    await mkdir(path.join(home, 'weather'));
    await writeFile(path.join(home, 'weather/README.md'), 'mine');
    expect(await create('weather')).toEqual({
      code: 2,
      stdout: '',
      stderr: `${path.join(home, 'weather')} is not empty; choose another directory with --directory\nSee --help.\n`,
    });
    expect(await listFiles()).toEqual(['weather/README.md']);
    expect(await readFile(path.join(home, 'weather/README.md'), 'utf8')).toBe('mine');
  });

  it.each([
    ['no name', [], 'the name of the new package is missing'],
    ['a name that npm rejects', ['Weather'], '"Weather" is not a valid package name'],
    ['two names', ['weather', 'station'], '"station" is unexpected: only one name can be given'],
    ['an unknown option', ['weather', '--force'], "Unknown option '--force'\n"],
    ['an option without its value', ['weather', '--directory'], "Option '--directory <value>' argument missing\n"],
    ['a file as directory', ['weather', '--directory', 'file'], 'is a file, or inside a file'],
    ['a directory inside a file', ['weather', '--directory', 'file/weather'], 'is a file, or inside a file'],
  ])('rejects %s with code 2 and writes nothing', async (_, args, message) => {
    await writeFile(path.join(home, 'file'), '');
    const { code, stdout, stderr } = await create(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr).toMatch(/\nSee --help\.\n$/);
    expect(await listFiles()).toEqual(['file']);
  });

  it('ends with code 1 and the error of the system if the directory cannot be created', async () => {
    const { code, stdout, stderr } = await create('weather', '--directory', 'w'.repeat(300));
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^ENAMETOOLONG: .*\n$/);
  });

  it.each([
    ['-h', /^Usage: npm create @org\/mcp NAME /],
    ['--help', /^Usage: npm create @org\/mcp NAME /],
    ['-V', /^\d+\.\d+\.\d+\n$/],
    ['--version', /^\d+\.\d+\.\d+\n$/],
  ])('prints a text for %s and writes nothing', async (flag, text) => {
    const { code, stdout } = await create('weather', flag);
    expect(code).toBe(0);
    expect(stdout).toMatch(text);
    expect(await listFiles()).toEqual([]);
  });
});
