import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

import { run } from '../workspace/run.mjs';
import { publishedPackages } from '../workspace/packages.mjs';
import { retargetDirectory } from '../workspace/scope.mjs';
import { packPackages } from '../workspace/tarballs.mjs';
import { describePackage } from './contents.mjs';

/**
 * Packs all public packages for a scope and a repository into a directory. Resolves to the packages in the order in which they
 * can be published: every package after its dependencies.
 *
 * @param unpacked empty directory that receives the extracted packages
 */
export async function packRelease(directory, unpacked, target) {
  const work = mkdtempSync(join(tmpdir(), 'mcp-release-'));
  try {
    const { code, output, extracted } = await packPackages(work, publishedPackages());
    if (code !== 0) throw new Error(`pnpm pack failed:\n${output}`);
    const packed = [];
    for (const [name, files] of extracted) {
      const moved = join(unpacked, basename(name));
      renameSync(files, moved);
      retargetDirectory(moved, target);
      packed.push(await packDirectory(moved, directory));
    }
    return sortByDependencies(packed);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Packs an extracted package again. Its scripts need the workspace, so they do not run. */
async function packDirectory(extracted, directory) {
  mkdirSync(directory, { recursive: true });
  const args = ['pack', extracted, '--ignore-scripts', '--json', '--pack-destination', directory];
  const { code, output } = await run('npm', args);
  if (code !== 0) throw new Error(`npm pack failed:\n${output}`);
  const [{ filename }] = JSON.parse(output.slice(output.indexOf('[\n')));
  const tarball = join(directory, filename.replace('@', '').replace('/', '-'));
  return { tarball, extracted, ...describePackage(extracted, tarball) };
}

/** Returns the packages so that each follows the packages that it depends on. */
function sortByDependencies(packages) {
  const remaining = new Map(packages.map((packed) => [packed.name, packed]));
  const sorted = [];
  while (remaining.size > 0) {
    const ready = [...remaining.values()].filter(({ dependencies }) => !dependencies.some((name) => remaining.has(name)));
    if (ready.length === 0) throw new Error(`These packages depend on each other: ${[...remaining.keys()].join(', ')}`);
    for (const packed of ready) remaining.delete(packed.name);
    sorted.push(...ready);
  }
  return sorted;
}
