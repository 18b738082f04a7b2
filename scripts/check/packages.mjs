import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { publishedPackages } from '../workspace/packages.mjs';
import { run, runWithPnpm } from '../workspace/run.mjs';
import { compileConsumer } from './consumer.mjs';
import { findPageProblems } from './package-page.mjs';

/** Packs the published packages and checks the tarballs like the Node.js and TypeScript of a consumer. */
export async function checkPackages() {
  const filters = publishedPackages().map(({ manifest }) => `--filter=${manifest.name}`);
  const directory = mkdtempSync(join(tmpdir(), 'mcp-pack-'));
  try {
    const packed = await runWithPnpm('pnpm', [...filters, 'pack', '--pack-destination', directory]);
    const tarballs = readdirSync(directory).map((name) => join(directory, name));
    if (packed.code !== 0 || tarballs.length !== filters.length) return { ...packed, code: 1 };
    const extracted = await extract(directory, tarballs);
    const verdicts = [
      checkPages(extracted),
      ...(await Promise.all([...tarballs.flatMap(checkTarball), compileConsumer(directory, extracted)])),
    ];
    const failed = verdicts.filter(({ code }) => code !== 0);
    return { code: failed.length === 0 ? 0 : 1, output: failed.map(({ output }) => output).join('\n') };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function checkTarball(tarball) {
  return [run('publint', ['run', tarball, '--strict']), run('attw', [tarball, '--profile', 'esm-only', '--no-color'])];
}

function checkPages(extracted) {
  const problems = publishedPackages().flatMap(({ directory, manifest }) =>
    findPageProblems(extracted.get(manifest.name), directory),
  );
  return { code: problems.length === 0 ? 0 : 1, output: problems.join('\n') };
}

/** Extracts tarballs. Resolves to their directories by package name. */
async function extract(directory, tarballs) {
  const extracted = new Map();
  for (const [index, tarball] of tarballs.entries()) {
    const target = join(directory, 'extracted', String(index));
    mkdirSync(target, { recursive: true });
    await run('tar', ['-xzf', tarball, '-C', target, '--strip-components=1']);
    extracted.set(JSON.parse(readFileSync(join(target, 'package.json'), 'utf8')).name, target);
  }
  return extracted;
}
