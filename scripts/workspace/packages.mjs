import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from './run.mjs';

/** Returns the root and every directory with a package that pnpm-workspace.yaml names, as `name` or `name/*`. */
export function workspaceDirectories() {
  const [, list] = /^packages:\n((?: {2}- .+\n)+)/m.exec(readFileSync(join(ROOT, 'pnpm-workspace.yaml'), 'utf8'));
  const named = Array.from(list.matchAll(/- (\S+)/g), ([, pattern]) => pattern).flatMap(matching);
  return ['.', ...named.filter((directory) => existsSync(join(ROOT, directory, 'package.json')))];
}

/** Returns the directory, relative to the root, and the manifest of each published package. */
export function publishedPackages() {
  return workspaceDirectories()
    .map((directory) => ({ directory, manifest: JSON.parse(readFileSync(join(ROOT, directory, 'package.json'), 'utf8')) }))
    .filter(({ manifest }) => !manifest.private);
}

function matching(pattern) {
  if (!pattern.endsWith('/*')) return [pattern];
  const parent = pattern.slice(0, -2);
  return existsSync(join(ROOT, parent)) ? readdirSync(join(ROOT, parent)).map((name) => join(parent, name)) : [];
}
