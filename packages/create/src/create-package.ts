import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { formatManifest } from './manifest.ts';
import type { Names } from './names.ts';
import { UsageError } from './usage-error.ts';

const TEMPLATE = fileURLToPath(new URL('../template', import.meta.url));

/** Names of files in the new package, by their names in the template: npm leaves `.gitignore` files out of tarballs. */
const RENAMED: Readonly<Record<string, string>> = { gitignore: '.gitignore' };

/**
 * Writes the files of a new package into a directory, which is created if it does not exist.
 *
 * @throws UsageError if the directory is not empty, or not a directory
 */
export function createPackage(directory: string, names: Names): void {
  requireEmptyDirectory(directory);
  mkdirSync(directory, { recursive: true });
  writeFileSync(path.join(directory, 'package.json'), formatManifest(names.package));
  for (const file of listTemplate()) {
    const target = path.join(directory, RENAMED[file] ?? file);
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, fillIn(readFileSync(path.join(TEMPLATE, file), 'utf8'), names));
  }
}

function requireEmptyDirectory(directory: string): void {
  try {
    if (readdirSync(directory).length === 0) return;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return;
    if (code !== 'ENOTDIR') throw error;
    throw new UsageError(`${directory} is a file, or inside a file; choose another directory with --directory`, { cause: error });
  }
  throw new UsageError(`${directory} is not empty; choose another directory with --directory`);
}

/** Returns the paths of all files of the template, relative to the template. */
function listTemplate(): readonly string[] {
  return readdirSync(TEMPLATE, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(TEMPLATE, path.join(entry.parentPath, entry.name)));
}

/** Replaces the names in the template by those of the new package. */
function fillIn(text: string, names: Names): string {
  return text.replaceAll('TemplateServer', names.class).replaceAll('template-server', names.server);
}
