import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { connectProcess, runProgram, type ProgramEnd } from '@org/mcp-testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { linkPackages } from '../../scripts/workspace/consumer.mjs';
import { publishedPackages } from '../../scripts/workspace/packages.mjs';
import { packPackages } from '../../scripts/workspace/tarballs.mjs';

const WORKSPACE = fileURLToPath(new URL('../..', import.meta.url));
const PACKED = ['@org/mcp-decorators', '@org/mcp-host', '@org/mcp-testing'];

/** The package of the page; its dependencies are installed beside it. */
let home = '';
let page = '';

async function run(command: string, ...args: readonly string[]): Promise<ProgramEnd> {
  const PATH = [path.join(WORKSPACE, 'node_modules/.bin'), process.env['PATH']].join(path.delimiter);
  const end = await runProgram({ command, args: [...args], cwd: home, env: { PATH, NO_COLOR: '1' } });
  expect(end.code, `${end.stdout}\n${end.stderr}`).toBe(0);
  return end;
}

/** Writes the files of the page, and installs the packed packages and the tools of the workspace. */
beforeAll(async () => {
  home = await realpath(await mkdtemp(path.join(tmpdir(), 'quick-start-')));
  page = await readFile(path.join(WORKSPACE, 'docs/build/quick-start.md'), 'utf8');
  for (const [, name = '', code = ''] of page.matchAll(/^```\w+ \[([^\]]+)\]\n(.*?)^```$/gms)) {
    await mkdir(path.dirname(path.join(home, name)), { recursive: true });
    await writeFile(path.join(home, name), code);
  }
  const tarballs = path.join(home, 'tarballs');
  await mkdir(tarballs);
  const packages = publishedPackages().filter(({ manifest }) => PACKED.includes(manifest.name));
  const { code, output, extracted } = await packPackages(tarballs, packages);
  if (code !== 0) throw new Error(output);
  const modules = path.join(home, 'node_modules');
  linkPackages(modules, extracted);
  for (const name of ['typescript', 'vitest'])
    await symlink(path.join(WORKSPACE, 'node_modules', name), path.join(modules, name), 'junction');
}, 120_000);

afterAll(() => rm(home, { recursive: true, force: true }));

describe('the package of the quick start', () => {
  it('passes its test and is built', { timeout: 60_000 }, async () => {
    const { stdout } = await run('npm', 'test');
    expect(stdout).toMatch(/Tests +2 passed \(2\)/);
    await run('npm', 'run', 'build');
  });

  it('prints the list of the page', async () => {
    const { stdout } = await run(process.execPath, 'dist/main.js', 'list');
    expect(page).toContain(`\`\`\`text\n${stdout.trimEnd()}\n\`\`\``);
  });

  it('answers a client', async () => {
    await using session = await connectProcess({ command: process.execPath, args: ['dist/main.js'], cwd: home });
    expect(await session.text('count_words', { text: 'to be or not to be', unique: true })).toBe('4');
  });

  it('is installed into a client', async () => {
    await run(process.execPath, 'dist/main.js', 'install', 'claude-code');
    const { mcpServers } = JSON.parse(await readFile(path.join(home, '.mcp.json'), 'utf8'));
    expect(mcpServers['word-server']).toMatchObject({ args: [path.join(home, 'dist/main.js')] });
  });
});
