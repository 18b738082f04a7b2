import { mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { run, runWithPnpm } from './run.mjs';

/**
 * Packs published packages into an empty directory, and extracts the tarballs below it. Resolves to the exit code and the output of
 * pnpm, the paths of the tarballs by package name, and the directories of the extracted packages by package name.
 */
export async function packPackages(directory, packages) {
  const filters = packages.map(({ manifest }) => `--filter=${manifest.name}`);
  const { code, output } = await runWithPnpm('pnpm', [...filters, 'pack', '--pack-destination', directory]);
  const tarballs = new Map();
  const extracted = new Map();
  const files = readdirSync(directory).map((name) => join(directory, name));
  if (code !== 0 || files.length !== packages.length) return { code: 1, output, tarballs, extracted };
  for (const [index, tarball] of files.entries()) {
    const target = join(directory, 'extracted', String(index));
    mkdirSync(target, { recursive: true });
    await run('tar', ['-xzf', tarball, '-C', target, '--strip-components=1']);
    const { name } = JSON.parse(readFileSync(join(target, 'package.json'), 'utf8'));
    tarballs.set(name, tarball);
    extracted.set(name, target);
  }
  return { code, output, tarballs, extracted };
}
