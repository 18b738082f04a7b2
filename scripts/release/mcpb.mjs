import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

import { packExtension } from '@anthropic-ai/mcpb';

import { ROOT } from '../workspace/run.mjs';

/** Packages that a bundled program loads from node_modules, because they contain WebAssembly. */
const LOADED = { 'mcp-sql': ['libpg-query'] };
const PROGRAM = ['bundle', 'CHANGELOG.md', 'LICENSE', 'README.md'];

/**
 * Packs a .mcpb bundle per server: its program and its manifest. Resolves to the files with their sizes.
 *
 * @param packages packages with the directories of their extracted tarballs
 */
export async function packBundles(directory, packages) {
  const bundles = [];
  for (const { name, version, extracted } of packages) {
    const server = basename(name);
    if (!existsSync(join(sourceOf(server), 'mcpb.json'))) continue;
    const file = join(directory, `${server}-${version}.mcpb`);
    bundles.push({ file, ...(await packBundle(server, extracted, file)) });
  }
  return bundles;
}

/** Returns the manifest of the bundle of a server: `mcpb.json` and the facts of its package. */
function createBundleManifest(server, manifest) {
  const { server: program, ...described } = JSON.parse(readFileSync(join(sourceOf(server), 'mcpb.json'), 'utf8'));
  const { version, description, homepage, repository, bugs, license, keywords, engines, author } = manifest;
  return {
    manifest_version: '0.3',
    name: server,
    version,
    description,
    author: { name: author?.name ?? 'The maintainers of the MCP servers', url: bugs.url.replace(/\/issues$/, '') },
    homepage,
    repository: { type: 'git', url: repository.url.replace(/^git\+/, '') },
    support: bugs.url,
    license,
    keywords,
    tools_generated: true,
    prompts_generated: true,
    compatibility: { platforms: ['darwin', 'win32', 'linux'], runtimes: { node: engines.node } },
    server: { type: 'node', entry_point: 'bundle/start.js', ...program },
    ...described,
  };
}

async function packBundle(server, extracted, file) {
  const work = mkdtempSync(join(tmpdir(), 'mcpb-'));
  try {
    const manifest = JSON.parse(readFileSync(join(extracted, 'package.json'), 'utf8'));
    for (const entry of PROGRAM) cpSync(join(extracted, entry), join(work, entry), { recursive: true });
    for (const loaded of LOADED[server] ?? []) copyModule(server, loaded, work);
    writeFileSync(join(work, 'manifest.json'), JSON.stringify(createBundleManifest(server, manifest), undefined, 2));
    const isPacked = await packExtension({ extensionPath: work, outputPath: file, silent: true });
    if (!isPacked) throw new Error(`${basename(file)}: the manifest is invalid`);
    const files = readdirSync(work, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length;
    return { files, kilobytes: Math.ceil(statSync(file).size / 1000) };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function copyModule(server, name, work) {
  const target = join(work, 'node_modules', name);
  mkdirSync(dirname(target), { recursive: true });
  cpSync(join(sourceOf(server), 'node_modules', name), target, { recursive: true, dereference: true });
}

function sourceOf(server) {
  return join(ROOT, 'servers', server.replace(/^mcp-/, ''));
}
