import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { getMcpConfigForManifest, type McpbManifestAny, unpackExtension } from '@anthropic-ai/mcpb';
import { connectProcess } from '@org/mcp-testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { findContentProblems } from '../scripts/release/contents.mjs';
import { packBundles } from '../scripts/release/mcpb.mjs';
import { packRelease, type PackedPackage } from '../scripts/release/pack.mjs';
import { publishPackages } from '../scripts/release/publish.mjs';
import { readTarget } from '../scripts/workspace/scope.mjs';
import { NpmRegistry } from './support/npm-registry.ts';

const TARGET = readTarget({ MCP_SCOPE: '@example', MCP_REPOSITORY: 'example/tools' });

let home = '';
let packages: readonly PackedPackage[] = [];

beforeAll(async () => {
  home = await realpath(await mkdtemp(path.join(tmpdir(), 'release-')));
  const unpacked = path.join(home, 'unpacked');
  await mkdir(unpacked);
  packages = await packRelease(path.join(home, 'release'), unpacked, TARGET);
}, 120_000);

afterAll(() => rm(home, { recursive: true, force: true }));

describe('the packages of a release', () => {
  it('contain only the files and dependencies that scripts/release/contents.mjs lists', () => {
    expect(packages).toHaveLength(9);
    expect(packages.flatMap(findContentProblems)).toEqual([]);
  });

  it('have the scope, the repository and the registry namespace of the publisher in every file', () => {
    const files = packages.flatMap(({ extracted, files }) => files.map((file) => path.join(extracted, file)));
    const former = files.filter((file) => /@org\/|github\.com\/org\/|io\.github\.org\//.test(readFileSync(file, 'latin1')));
    expect(former).toEqual([]);
    expect(packages.every(({ name }) => name.startsWith('@example/'))).toBe(true);
  });

  it('follow the packages that they depend on', () => {
    const names = packages.map(({ name }) => name);
    for (const { name, dependencies } of packages)
      for (const dependency of dependencies.filter((needed) => names.includes(needed)))
        expect(names.indexOf(dependency)).toBeLessThan(names.indexOf(name));
  });

  it('are published in their order, and only once', { timeout: 120_000 }, async () => {
    await using registry = await NpmRegistry.start();
    const settings = path.join(home, '.npmrc');
    const address = `//127.0.0.1:${registry.port}/`;
    await writeFile(settings, `registry=http:${address}\n${address}:_authToken=secret\n`);
    const variables = { npm_config_userconfig: settings, npm_config_registry: `http:${address}` };
    const some = packages.slice(0, 2);
    const publish = () => publishPackages(some, { provenance: false, report: () => undefined, variables });
    expect(await publish()).toEqual(some.map(({ name }) => name));
    expect(registry.published).toEqual(some.map(({ name }) => name));
    expect(await publish()).toEqual([]);
  });

  it.each([{ MCP_SCOPE: 'example' }, { MCP_SCOPE: '@Example' }, { MCP_REPOSITORY: 'tools' }])(
    'reject the invalid name %j',
    (variables) => {
      expect(() => readTarget(variables)).toThrow(/must be/);
    },
  );
});

describe('a .mcpb bundle', () => {
  it.each([
    { name: 'mcp-fs', tool: 'write_file', readOnly: false },
    { name: 'mcp-fs', tool: 'write_file', readOnly: true },
    { name: 'mcp-git', tool: 'git_status', readOnly: false },
    { name: 'mcp-sql', tool: 'query', readOnly: false },
  ])('of $name starts with the settings of a user (read-only: $readOnly)', async ({ name, tool, readOnly }) => {
    const bundles = await packBundles(
      home,
      packages.filter((packed) => packed.name.endsWith(name)),
    );
    const extensionPath = path.join(home, `${name}-${readOnly}`);
    await unpackExtension({ mcpbPath: bundles[0]?.file ?? '', outputDir: extensionPath, silent: true });
    const manifest: McpbManifestAny = JSON.parse(readFileSync(path.join(extensionPath, 'manifest.json'), 'utf8'));
    const directories = [path.join(home, 'release'), path.join(home, 'unpacked')];
    const userConfig = { directories, read_only: readOnly, url: 'postgres://reader@127.0.0.1:1/none', writable: false };
    const config = await getMcpConfigForManifest({
      manifest,
      extensionPath,
      systemDirs: {},
      userConfig,
      pathSeparator: path.sep,
    });
    const { command = '', args = [], env = {} } = config ?? {};
    await using session = await connectProcess({ command, args, env, cwd: home });
    const { tools } = await session.client.listTools();
    expect(tools.some((listed) => listed.name === tool)).toBe(!readOnly);
    if (name !== 'mcp-sql') return;
    // The first statement loads the parser of PostgreSQL, a WebAssembly module outside the bundled program. So the extension must
    // contain this module.
    const parser = createRequire(path.join(extensionPath, 'bundle', 'start.js')).resolve('libpg-query/wasm/libpg-query.js');
    expect(path.relative(extensionPath, parser)).toBe(path.join('node_modules', 'libpg-query', 'wasm', 'libpg-query.js'));
    expect(existsSync(path.join(path.dirname(parser), 'libpg-query.wasm'))).toBe(true);
  });
});
