import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

/** Entries at the top of every tarball. */
const COMMON = ['CHANGELOG.md', 'LICENSE', 'README.md', 'dist', 'package.json', 'src'];
const LIBRARY = [...COMMON, 'lib'];
const SERVER = [...LIBRARY, 'bin', 'bundle'];

/**
 * Lists what each package may contain: its top entries, the maximum size of its tarball in kB, and its production dependencies
 * without their scope. A change of these facts is visible to every user, so it needs a change here.
 */
const CONTENTS = {
  'create-mcp': { entries: [...COMMON, 'template'], maxKilobytes: 30, dependencies: [] },
  'mcp-decorators': { entries: LIBRARY, maxKilobytes: 500, dependencies: ['@modelcontextprotocol/server'] },
  'mcp-host': {
    entries: LIBRARY,
    maxKilobytes: 550,
    dependencies: ['@modelcontextprotocol/server', 'jose', 'jsonc-parser', 'mcp-decorators', 'smol-toml', 'yaml'],
  },
  'mcp-roots': { entries: LIBRARY, maxKilobytes: 200, dependencies: [] },
  'mcp-testing': {
    entries: COMMON,
    maxKilobytes: 80,
    dependencies: ['@modelcontextprotocol/client', '@modelcontextprotocol/server', 'mcp-decorators', 'mcp-host'],
  },
  'mcp-watch': { entries: LIBRARY, maxKilobytes: 80, dependencies: ['chokidar'] },
  'mcp-fs': {
    entries: SERVER,
    maxKilobytes: 1700,
    dependencies: ['diff', 'file-type', 'iconv-lite', 'mcp-roots', 'mcp-watch', 'modern-tar', 'node-diff3', 'saxes', 'yauzl'],
  },
  'mcp-git': {
    entries: SERVER,
    maxKilobytes: 1700,
    dependencies: ['@simple-git/argv-parser', 'mcp-roots', 'mcp-watch', 'simple-git'],
  },
  'mcp-sql': { entries: SERVER, maxKilobytes: 2000, dependencies: ['libpg-query', 'mcp-roots', 'mcp-watch', 'pg'] },
};

/**
 * Pattern of the files that only this repository needs. Tests in `template/` are allowed, because the template of a new package
 * contains a test.
 */
const UNWANTED =
  /(^|\/)(node_modules|compile-cache|\.tsbuildinfo|\.env)(\/|$)|^(?!template\/).*\.(test|test-d)\.[cm]?[jt]s$|\.tgz$/;

/** Describes an extracted package and its tarball: the facts that the release prints and checks. */
export function describePackage(directory, tarball) {
  const { name, version, dependencies = {} } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
  const files = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)).replaceAll(sep, '/'));
  return {
    name,
    version,
    files,
    dependencies: Object.keys(dependencies).sort(),
    kilobytes: Math.ceil(statSync(tarball).size / 1000),
  };
}

/** Returns the problems of a package: unexpected files or dependencies, and a size above its limit. */
export function findContentProblems({ name, files, dependencies, kilobytes }) {
  const [scope, base] = name.split('/');
  const expected = CONTENTS[base];
  if (expected === undefined) return [`${name}: scripts/release/contents.mjs does not list this package`];
  const wanted = expected.dependencies.map((dependency) =>
    dependency.startsWith('mcp-') ? `${scope}/${dependency}` : dependency,
  );
  return [
    ...compare('top entries', [...new Set(files.map((file) => file.split('/')[0]))], expected.entries),
    ...compare('production dependencies', dependencies, wanted),
    ...files.filter((file) => UNWANTED.test(file)).map((file) => `contains ${file}`),
    ...(kilobytes <= expected.maxKilobytes ? [] : [`has ${kilobytes} kB; the limit is ${expected.maxKilobytes} kB`]),
  ].map((problem) => `${name}: ${problem}`);
}

function compare(what, found, expected) {
  const isEqual = found.length === expected.length && expected.every((entry) => found.includes(entry));
  return isEqual ? [] : [`the ${what} are ${found.join(', ')} instead of ${expected.join(', ')}`];
}
