import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Reads the `package.json` of a package. */
export function readManifest(directory) {
  return JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
}

/** Writes the `package.json` of a package. */
export function writeManifest(directory, manifest) {
  writeFileSync(join(directory, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
}
