import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { createClientFiles } from './release/client-files.mjs';
import { ROOT, isMain, run } from './workspace/run.mjs';

/** Writes the files by which clients install the servers from this repository. */
export async function writeClientFiles() {
  const files = createClientFiles();
  for (const [path, value] of Object.entries(files)) {
    mkdirSync(dirname(join(ROOT, path)), { recursive: true });
    writeFileSync(join(ROOT, path), `${JSON.stringify(value, undefined, 2)}\n`);
  }
  const { code, output } = await run('oxfmt', Object.keys(files));
  if (code !== 0) throw new Error(output);
}

if (isMain(import.meta.url)) await writeClientFiles();
