import { existsSync, mkdirSync, realpathSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { publishedPackages } from './packages.mjs';
import { ROOT } from './run.mjs';

/**
 * Fills the `node_modules` of an application without network access: with published packages and with the dependencies that
 * their manifests declare. Development dependencies of the workspace cannot be resolved there.
 *
 * @param packages directories of the published packages by name, outside the workspace
 */
export function linkPackages(modules, packages) {
  for (const { directory, manifest } of publishedPackages()) {
    if (!packages.has(manifest.name)) continue;
    const installed = join(ROOT, directory, 'node_modules');
    linkModule(join(modules, manifest.name), packages.get(manifest.name));
    for (const name of Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies }))
      if (!name.startsWith('@org/')) linkModule(join(modules, name), join(installed, name));
  }
  linkModule(join(modules, '@types/node'), join(ROOT, 'node_modules/@types/node'));
}

/** Links a package to a path in a `node_modules`, unless the path exists: several packages have the same dependency. */
export function linkModule(path, target) {
  if (existsSync(path)) return;
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(realpathSync(target), path, 'junction');
}
