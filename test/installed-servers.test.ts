import { mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { connectProcess, runProgram } from '@org/mcp-testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { publishedPackages } from '../scripts/workspace/packages.mjs';
import { packPackages } from '../scripts/workspace/tarballs.mjs';

const WORKSPACE = fileURLToPath(new URL('..', import.meta.url));
const MB = 1_000_000;
const SHARED = ['@org/mcp-roots', '@org/mcp-watch'];

/** The programs, with the limits of what `npm install` without optional packages may add to a directory. */
const SERVERS = [
  { name: 'mcp-fs', maxPackages: 25, maxBytes: 10 * MB, tool: 'read_text_file' },
  { name: 'mcp-git', maxPackages: 14, maxBytes: 9 * MB, tool: 'git_status' },
  { name: 'mcp-sql', maxPackages: 22, maxBytes: 11 * MB, tool: 'query' },
] as const;

let home = '';
let tarballs: ReadonlyMap<string, string>;

beforeAll(async () => {
  home = await realpath(await mkdtemp(path.join(tmpdir(), 'installed-')));
  const names = [...SHARED, ...SERVERS.map(({ name }) => `@org/${name}`)];
  const packed = path.join(home, 'tarballs');
  await mkdir(packed);
  const packages = publishedPackages().filter(({ manifest }) => names.includes(manifest.name));
  const { code, output, tarballs: found } = await packPackages(packed, packages);
  if (code !== 0) throw new Error(output);
  tarballs = found;
}, 120_000);

afterAll(() => rm(home, { recursive: true, force: true }));

/**
 * Installs the tarballs of a server and of the `SHARED` packages into an empty directory, with all dependencies that are not
 * optional.
 */
async function install(name: string): Promise<string> {
  const directory = path.join(home, name);
  await mkdir(directory);
  await writeFile(path.join(directory, 'package.json'), '{ "private": true }\n');
  const files = [...SHARED, `@org/${name}`].map((packed) => tarballs.get(packed) ?? '');
  const flags = ['--omit=optional', '--no-audit', '--no-fund', '--prefer-offline'];
  const { code, stderr } = await runProgram({ command: 'npm', args: ['install', ...flags, ...files], cwd: directory });
  expect(code, stderr).toBe(0);
  return directory;
}

/**
 * Returns the entries in the links of the badges of a README, by the host of the link, with a directory in place of
 * `${workspaceFolder}`.
 */
async function decodeBadges(name: string, directory: string): Promise<Readonly<Record<string, unknown>>> {
  const page = await readFile(path.join(WORKSPACE, `servers/${name.slice('mcp-'.length)}/README.md`), 'utf8');
  const links = [...page.matchAll(/\]\((https:\/\/[^)]*install[^)]*)\)/g)].map(([, link = '']) => new URL(link));
  const entries = links
    .filter(({ searchParams }) => searchParams.has('config'))
    .map(({ hostname, searchParams }): readonly [string, unknown] => {
      expect(searchParams.get('name')).toBe(name);
      const config = searchParams.get('config') ?? '';
      const text = hostname === 'cursor.com' ? Buffer.from(config, 'base64').toString() : config;
      return [hostname, JSON.parse(text.replaceAll('${workspaceFolder}', directory))];
    });
  return Object.fromEntries(entries);
}

async function countPackages(directory: string): Promise<number> {
  const { stdout } = await runProgram({ command: 'npm', args: ['ls', '--all', '--parseable'], cwd: directory });
  return new Set(stdout.trim().split('\n').slice(1)).size;
}

async function countBytes(directory: string): Promise<number> {
  const entries = await readdir(path.join(directory, 'node_modules'), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

describe.each(SERVERS)('$name, installed from its tarball', ({ name, maxPackages, maxBytes, tool }) => {
  it('is small, writes the entries of the badges, and answers a client', { timeout: 120_000 }, async () => {
    const directory = await install(name);
    expect(await countPackages(directory)).toBeLessThanOrEqual(maxPackages);
    expect(await countBytes(directory)).toBeLessThanOrEqual(maxBytes);
    const argument = name === 'mcp-sql' ? [] : [directory];
    const env = { MCP_SQL_URL: 'postgres://reader@localhost/shop' };
    const config = async (client: string, ...given: readonly string[]): Promise<unknown> => {
      const asked = client === 'vscode' && name === 'mcp-sql' ? { env } : {};
      const program = { command: 'npx', args: ['--no-install', name, 'config', client, ...given], cwd: directory, ...asked };
      const printed = JSON.parse((await runProgram(program)).stdout);
      return (printed.servers ?? printed.mcpServers)[name];
    };
    expect(await decodeBadges(name, directory)).toEqual({
      'insiders.vscode.dev': await config('vscode', ...argument),
      'cursor.com': await config('cursor', ...(name === 'mcp-sql' ? ['--sample'] : argument)),
    });
    const args = ['--no-install', name, ...(name === 'mcp-sql' ? ['postgres://reader@127.0.0.1:1/none'] : [directory])];
    await using session = await connectProcess({ command: 'npx', args, cwd: directory });
    const { tools } = await session.client.listTools();
    expect(tools.map((listed) => listed.name)).toContain(tool);
  });
});
