import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { importRepository } from './fast-import.mjs';
import { REPOSITORIES } from './histories.mjs';

const MADE_BY = ['fixtures.mjs', 'fast-import.mjs', 'histories.mjs', '../generated/source-text.mjs'];

/**
 * Creates the repositories of the measurements, by name; they are the same each time. They are kept for the next run,
 * in a temporary directory whose name depends on the code that creates them.
 */
export async function makeGround(names) {
  const root = join(realpathSync(tmpdir()), `mcp-bench-git-${fingerprint()}`);
  mkdirSync(root, { recursive: true });
  const ground = { root };
  for (const name of names) ground[name] = await made(root, name);
  return ground;
}

async function made(root, name) {
  const directory = join(root, name);
  if (existsSync(directory)) return directory;
  console.log(`Making the repository ${name} in ${root}`);
  const { commands, finish } = REPOSITORIES[name];
  const unfinished = join(root, `${name}.${process.pid}`);
  try {
    await importRepository(unfinished, commands());
    finish(unfinished);
    renameSync(unfinished, directory);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  return directory;
}

function fingerprint() {
  const hash = createHash('sha256');
  for (const file of MADE_BY) hash.update(readFileSync(new URL(file, import.meta.url)));
  return hash.digest('hex').slice(0, 8);
}
