import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { installPackages, linkInstalled } from './probes/install.mjs';
import { createMatrix } from './probes/matrix.mjs';
import { findNode } from './probes/node-versions.mjs';
import { PACKAGES } from './probes/packages.mjs';
import { addRunner, RUNNERS } from './probes/runners.mjs';
import { setup } from './setup.mjs';
import { publishedPackages } from './workspace/packages.mjs';
import { packPackages } from './workspace/tarballs.mjs';

const VERSIONS = ['20', '22', '24'];

/** Packages and runners whose dependencies the workspace does not have. */
const NEED_NPM = new Set(['starter', 'ts-jest']);

const HELP = `Usage: npm run probes [-- [OPTION…] [NAME…]]

Builds and tests packages that use the packed packages, outside the workspace.
Without a name, all of them:

  ${Object.keys(PACKAGES).join(', ')}

  --node LIST    Versions of Node.js, or "current" (default: ${VERSIONS.join(',')}).
                 npm downloads them.
  --runner LIST  Test runners (default: ${Object.keys(RUNNERS).join(',')}), with the
                 configuration of docs/build/test-runners.md.
  --links        Link the dependencies of the workspace instead of installing
                 them with npm. Needs no network. Only with the current
                 version of Node.js, and without ${[...NEED_NPM].join(' and ')}.
  -h, --help     Show this help

Exits with 1 if a step failed, with 2 if the arguments cannot be used.`;

const OPTIONS = {
  node: { type: 'string' },
  runner: { type: 'string' },
  links: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h' },
};

process.exitCode = await main(process.argv.slice(2));

async function main(args) {
  const choice = readChoice(args);
  if (choice.help) console.log(HELP);
  else if (choice.problem !== undefined) console.error(`${choice.problem}\nSee npm run probes -- --help.`);
  if (choice.help || choice.problem !== undefined) return choice.help ? 0 : 2;
  await setup();
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'mcp-probes-')));
  try {
    return await probe(home, choice);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function readChoice(args) {
  try {
    const { values, positionals } = parseArgs({ args, options: OPTIONS, allowPositionals: true });
    return values.help ? values : selectCells(values, positionals);
  } catch (error) {
    return { problem: error.message };
  }
}

function selectCells({ links, node, runner }, given) {
  const isPossible = (name) => !links || !NEED_NPM.has(name);
  const names = given.length > 0 ? given : Object.keys(PACKAGES).filter(isPossible);
  const runners = runner?.split(',') ?? Object.keys(RUNNERS).filter(isPossible);
  const versions = node?.split(',') ?? (links ? ['current'] : VERSIONS);
  const [problem] = [
    ...names.filter((name) => !Object.hasOwn(PACKAGES, name)).map((name) => `Unknown name "${name}".`),
    ...runners.filter((name) => !Object.hasOwn(RUNNERS, name)).map((name) => `Unknown runner "${name}".`),
    ...versions.filter((version) => !/^(\d+(\.\d+)*|current)$/.test(version)).map((version) => `Invalid version "${version}".`),
    ...[...names, ...runners].filter((name) => !isPossible(name)).map((name) => `${name} cannot be used with --links.`),
    ...versions.filter((version) => links && version !== 'current').map(() => '--links uses the current version of Node.js.'),
  ];
  return { links, names, runners, versions, problem };
}

/** Runs and prints all steps. Resolves to the exit code. */
async function probe(home, { links, names, runners, versions }) {
  const nodes = await Promise.all(versions.map(findNode));
  const missing = nodes.find((node) => node.run === undefined);
  if (missing !== undefined) return reportFailure(missing.output, `Node.js ${missing.name} cannot be installed.`);
  const tarballs = join(home, 'tarballs');
  mkdirSync(tarballs);
  const packed = await packPackages(tarballs, publishedPackages());
  if (packed.code !== 0) return reportFailure(packed.output, 'The packages cannot be packed.');
  const matrix = createMatrix(nodes);
  const install = (directory) => (links ? linkInstalled : installPackages)(directory, packed, nodes[0]);
  for (const name of names) {
    const directory = join(home, name);
    mkdirSync(directory);
    await probePackage({ name, directory, runners }, { matrix, nodes, packed, install });
    rmSync(directory, { recursive: true, force: true });
  }
  console.log(matrix.format());
  return matrix.countFailed() === 0 ? 0 : 1;
}

function reportFailure(output, message) {
  console.error(`${output}\n${message}`);
  return 1;
}

/**
 * Creates a package, installs its dependencies, and runs each step on each version of Node.js. Installs again for a runner with
 * further dependencies.
 */
async function probePackage({ name, directory, runners }, { matrix, nodes, packed, install }) {
  const { create, steps } = PACKAGES[name];
  const installed = await matrix.add({ name, step: 'install', node: nodes[0] }, async () => {
    const created = await create(directory, packed);
    return created.code === 0 ? install(directory) : created;
  });
  if (!installed) return;
  for (const [step, [program, ...args]] of Object.entries(steps))
    for (const node of nodes) await matrix.add({ name, step, node }, () => node.run(program, args, directory));
  for (const runner of runners) {
    const added = addRunner(directory, runner) ? await install(directory) : { code: 0 };
    const test = (node) => (added.code === 0 ? node.run('npm', ['test', ...RUNNERS[runner].flags], directory) : added);
    for (const node of nodes) await matrix.add({ name, step: runner, node }, () => test(node));
  }
}
