import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Name of the file that lists the packages whose code an output contains. */
export const LICENSES_FILE = 'THIRD-PARTY-LICENSES.txt';

const SEPARATOR = `\n\n${'-'.repeat(80)}\n`;

/** Creates the plugin that adds the file THIRD-PARTY-LICENSES.txt, if the output contains code of other packages. */
export function licenses() {
  return { name: 'third-party-licenses', generateBundle: emitLicenses };
}

/** Lists every package whose code is in the output, with its licence. */
function emitLicenses(_options, chunks) {
  const modules = Object.values(chunks).flatMap(({ moduleIds = [] }) => moduleIds);
  const directories = new Set(modules.filter((id) => id.includes('/node_modules/')).map(packageDirectory));
  if (directories.size === 0) return;
  const source = [...directories].map(describe).sort().join('\n');
  this.emitFile({ type: 'asset', fileName: LICENSES_FILE, source });
}

function packageDirectory(module) {
  let directory = dirname(module);
  // A nested package.json without a name only declares the module type of its directory, so the search continues in the parent
  // directory.
  while (!readManifest(directory)?.name) directory = dirname(directory);
  return directory;
}

function readManifest(directory) {
  const path = join(directory, 'package.json');
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
}

function describe(directory) {
  const { name, version, license } = readManifest(directory);
  const file = readdirSync(directory).find((entry) => /^licen[cs]e(\.|$)/i.test(entry));
  const text = file ? readFileSync(join(directory, file), 'utf8').trim() : '';
  return `${name} ${version} (${license})\n\n${text}${SEPARATOR}`;
}

/** Joins several files of licences to one that lists each package once. */
export function joinLicenses(texts) {
  const parts = texts.flatMap((text) => text.split(SEPARATOR)).map((part) => part.trim());
  return [...new Set(parts)]
    .filter((part) => part !== '')
    .toSorted((one, other) => one.localeCompare(other))
    .map((part) => `${part}${SEPARATOR}`)
    .join('\n');
}

/** Returns the names of the packages in a file of licences. */
export function readPackageNames(text) {
  return text
    .split(SEPARATOR)
    .flatMap((part) => part.trim().split(' ').slice(0, 1))
    .filter((name) => name !== '');
}
