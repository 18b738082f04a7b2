import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';

import { parseSync, Visitor } from 'rolldown/utils';

const MAX_FILES = 25;

const CODE = /\.(?:[cm]?[jt]s|[jt]sx)$/;
const GENERATED = new Set(['node_modules', 'dist', 'bundle', '__snapshots__']);

/**
 * Reads the file trees; each tree is checked separately: `folder` is its path below the root, `files` maps a path below
 * the root to the text, the program that the parser made of it and the paths of the files it imports.
 */
export function readTrees(root) {
  const packages = ['packages', 'servers', 'examples'].flatMap((parent) =>
    namesIn(root, parent).map((name) => `${parent}/${name}`),
  );
  const folders = [...packages.flatMap((name) => [`${name}/src`, `${name}/views`, `${name}/test`]), 'test', 'bench', 'scripts'];
  return folders.filter((folder) => existsSync(join(root, folder))).map((folder) => readTree(root, folder));
}

/** Returns a line for each folder with too many files. */
export function largeFolders({ files }) {
  const counts = new Map();
  for (const file of files.keys()) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
  return [...counts].filter(([, count]) => count > MAX_FILES).map(([folder, count]) => `${folder}: ${count} files`);
}

function namesIn(root, folder) {
  return existsSync(join(root, folder)) ? readdirSync(join(root, folder)).toSorted() : [];
}

function readTree(root, folder) {
  const files = new Map();
  for (const path of filesBelow(root, folder)) {
    const text = readFileSync(join(root, path), 'utf8');
    files.set(path, CODE.test(path) ? { text, ...parsed(path, text) } : { text, imports: [] });
  }
  return { folder, files };
}

function filesBelow(root, folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return GENERATED.has(entry.name) ? [] : filesBelow(root, path);
    return entry.isFile() ? [path] : [];
  });
}

function parsed(path, text) {
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0].message}`);
  const sources = new Set();
  const add = ({ source }) => typeof source?.value === 'string' && sources.add(source.value);
  new Visitor({
    ImportDeclaration: add,
    ExportNamedDeclaration: add,
    ExportAllDeclaration: add,
    ImportExpression: add,
    TSImportType: add,
  }).visit(program);
  const relative = [...sources].filter((source) => source.startsWith('.'));
  // Examples import the compiled `.js` files, as most packages outside this repository do. The source of such a file has the
  // ending `.ts`.
  return { program, imports: relative.map((source) => posix.join(posix.dirname(path), source.replace(/\.js$/, '.ts'))) };
}
