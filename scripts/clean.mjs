import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from './workspace/run.mjs';

const MADE = /^(node_modules|dist|lib|bundle|\.turbo|.*\.tsbuildinfo|.*\.tgz)$/;

/** Removes everything that an installation or a build created. */
function clean(directory) {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (MADE.test(entry.name)) rmSync(path, { recursive: true, force: true });
    else if (entry.isDirectory() && entry.name !== '.git') clean(path);
  }
}

clean(ROOT);
