import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { publishedPackages } from '../workspace/packages.mjs';
import { run } from '../workspace/run.mjs';
import { packPackages } from '../workspace/tarballs.mjs';
import { findClientFileProblems } from './client-files.mjs';
import { compileConsumer } from './consumer.mjs';
import { findDockerfileProblems } from './dockerfiles.mjs';
import { findPageProblems } from './package-page.mjs';
import { findServerJsonProblems } from './server-json.mjs';

/**
 * Packs the published packages and checks that Node.js and TypeScript can resolve and compile them in a consumer's project. Also
 * checks the package pages, `server.json`, client files and Dockerfiles.
 */
export async function checkPackages() {
  const directory = mkdtempSync(join(tmpdir(), 'mcp-pack-'));
  try {
    const { code, output, tarballs, extracted } = await packPackages(directory, publishedPackages());
    if (code !== 0) return { code, output };
    const verdicts = [
      await checkPages(extracted),
      ...(await Promise.all([...checkTarballs(tarballs), compileConsumer(directory, extracted)])),
    ];
    const failed = verdicts.filter(({ code }) => code !== 0);
    return { code: failed.length === 0 ? 0 : 1, output: failed.map(({ output }) => output).join('\n') };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function checkTarballs(tarballs) {
  return publishedPackages().flatMap(({ manifest: { name, exports } }) => [
    run('publint', ['run', tarballs.get(name), '--strict']),
    // attw checks the types of exports, so a package without exports is skipped.
    ...(exports === undefined ? [] : [run('attw', [tarballs.get(name), '--profile', 'esm-only', '--no-color'])]),
  ]);
}

async function checkPages(extracted) {
  const found = publishedPackages().map(async ({ directory, manifest }) => [
    ...findPageProblems(extracted.get(manifest.name), directory),
    ...(await findServerJsonProblems(directory)),
  ]);
  const problems = [...(await Promise.all(found)).flat(), ...(await findClientFileProblems()), ...findDockerfileProblems()];
  return { code: problems.length === 0 ? 0 : 1, output: problems.join('\n') };
}
