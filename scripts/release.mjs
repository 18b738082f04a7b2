import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';

import { findContentProblems } from './release/contents.mjs';
import { packBundles } from './release/mcpb.mjs';
import { packRelease } from './release/pack.mjs';
import { publishPackages } from './release/publish.mjs';
import { writeRegistryEntries } from './release/registry.mjs';
import { setup } from './setup.mjs';
import { ROOT } from './workspace/run.mjs';
import { readTarget } from './workspace/scope.mjs';

const HELP = `Usage: npm run release -- --dry-run
       npm run release -- [--no-provenance]

Builds, packs and checks all public packages and the .mcpb bundles of the servers in the directory release.

  --dry-run        Publish nothing
  --no-provenance  Publish without a statement of provenance, which only a workflow on GitHub or GitLab can sign

Environment:
  MCP_SCOPE        Scope of the packages on npm (default: @org)
  MCP_REPOSITORY   Owner and name of the repository on GitHub (default: org/mcp)
  NODE_AUTH_TOKEN  Token of npm, which publishing requires; ~/.npmrc refers to it: //REGISTRY/:_authToken=\${NODE_AUTH_TOKEN}`;

const OPTIONS = {
  'dry-run': { type: 'boolean', default: false },
  'no-provenance': { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
};

process.exitCode = await main();

async function main() {
  const { values, target, problem } = read();
  if (problem !== undefined) {
    console.error(`${problem}\nSee npm run release -- --help.`);
    return 2;
  }
  if (values.help) {
    console.log(HELP);
    return 0;
  }
  await setup();
  const unpacked = mkdtempSync(join(tmpdir(), 'mcp-unpacked-'));
  try {
    return await release(values, target, unpacked);
  } catch (error) {
    console.error(error.message);
    return 1;
  } finally {
    rmSync(unpacked, { recursive: true, force: true });
  }
}

/** Returns the options, or the problem of the command line or the environment. */
function read() {
  try {
    const { values } = parseArgs({ options: OPTIONS, strict: true });
    const needsToken = !values['dry-run'] && !values.help && !process.env.NODE_AUTH_TOKEN;
    return needsToken
      ? { problem: 'NODE_AUTH_TOKEN is not set. Set it to a token of npm, or use --dry-run.' }
      : { values, target: readTarget() };
  } catch (error) {
    return { problem: error.message };
  }
}

async function release(values, target, unpacked) {
  const directory = join(ROOT, 'release');
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory);
  const packages = await packRelease(directory, unpacked, target);
  printPackages(packages);
  printBundles(await packBundles(directory, packages));
  writeRegistryEntries(join(directory, 'registry'), target);
  const problems = packages.flatMap(findContentProblems);
  if (problems.length > 0) throw new Error(problems.join('\n'));
  if (values['dry-run']) {
    console.log('Dry run: nothing was published. The files are in the directory release.');
    return 0;
  }
  const published = await publishPackages(packages, { provenance: !values['no-provenance'], report: console.log });
  console.log(`Published ${published.length} of ${packages.length} packages.`);
  return 0;
}

function printPackages(packages) {
  printTable([
    ['tarball', 'files', 'kB', 'production dependencies'],
    ...packages.map(({ tarball, files, kilobytes, dependencies }) => [
      basename(tarball),
      files.length,
      kilobytes,
      dependencies.join(' ') || '-',
    ]),
  ]);
}

function printBundles(bundles) {
  printTable([['bundle', 'files', 'kB'], ...bundles.map(({ file, files, kilobytes }) => [basename(file), files, kilobytes])]);
}

function printTable(rows) {
  const widths = rows[0].map((_cell, column) => Math.max(...rows.map((row) => String(row[column]).length)));
  for (const row of rows)
    console.log(
      row
        .map((cell, column) => String(cell).padEnd(widths[column]))
        .join('  ')
        .trimEnd(),
    );
  console.log('');
}
