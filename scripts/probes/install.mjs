import { basename, dirname, join } from 'node:path';

import { linkModule, linkPackages } from '../workspace/consumer.mjs';
import { publishedPackages } from '../workspace/packages.mjs';
import { ROOT } from '../workspace/run.mjs';
import { readManifest, writeManifest } from './manifest.mjs';

const FLAGS = ['--no-audit', '--no-fund', '--prefer-offline'];

/**
 * Runs `npm install` in a package. Our packages are in no registry. Therefore a dependency on one of our packages becomes a
 * dependency on its tarball, and the tarballs of all our packages that it imports are added.
 */
export function installPackages(directory, { tarballs }, node) {
  const { dependencies = {}, devDependencies = {}, ...manifest } = readManifest(directory);
  const direct = { ...dependencies, ...devDependencies };
  const needed = withDependencies(Object.keys(direct).filter((name) => tarballs.has(name)));
  const added = needed.map((name) => [name, `file:${tarballs.get(name)}`]);
  const others = Object.entries(dependencies).filter(([name]) => !tarballs.has(name));
  const tools = Object.entries(devDependencies).filter(([name]) => !tarballs.has(name));
  writeManifest(directory, {
    ...manifest,
    dependencies: Object.fromEntries([...added, ...others]),
    devDependencies: Object.fromEntries(tools),
  });
  return node.run('npm', ['install', ...FLAGS], directory);
}

/** Returns the names of published packages and of all published packages that they import. */
function withDependencies(names) {
  const manifests = new Map(publishedPackages().map(({ manifest }) => [manifest.name, manifest]));
  const found = new Set(names);
  // The set grows during the loop, which also visits the added names.
  for (const name of found)
    for (const dependency of importedNames(manifests.get(name))) if (manifests.has(dependency)) found.add(dependency);
  return [...found];
}

function importedNames({ dependencies, peerDependencies }) {
  return Object.keys({ ...dependencies, ...peerDependencies });
}

/**
 * Links the extracted packages and the dependencies of an example to the `node_modules` beside the example, where both the
 * example and the extracted packages find them.
 */
export async function linkInstalled(directory, { extracted }) {
  const modules = join(dirname(directory), 'node_modules');
  linkPackages(modules, extracted);
  const { dependencies, devDependencies } = readManifest(directory);
  const names = Object.keys({ ...dependencies, ...devDependencies }).filter((name) => !extracted.has(name));
  const installed = join(ROOT, 'examples', basename(directory), 'node_modules');
  for (const name of names) linkModule(join(modules, name), join(installed, name));
  return { code: 0, output: '' };
}
