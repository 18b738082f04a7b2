import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { publishedPackages } from '../workspace/packages.mjs';
import { ROOT } from '../workspace/run.mjs';
import { retarget } from '../workspace/scope.mjs';

/** Writes the entries of the servers in the MCP Registry, each as `server.json` of its own directory, as the publisher reads them. */
export function writeRegistryEntries(directory, target) {
  for (const { directory: source, manifest } of publishedPackages()) {
    const file = join(ROOT, source, 'server.json');
    if (!existsSync(file)) continue;
    const entry = join(directory, basename(manifest.name));
    mkdirSync(entry, { recursive: true });
    writeFileSync(join(entry, 'server.json'), retarget(readFileSync(file, 'utf8'), target));
  }
}
