import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { withLock } from './workspace/lock.mjs';
import { ROOT, isMain, runWithPnpm } from './workspace/run.mjs';
import { workspaceDirectories } from './workspace/packages.mjs';

const STATE = join(ROOT, 'node_modules', '.setup');
const STAMP = join(STATE, 'stamp');

/**
 * Installs the dependencies of the lock file and builds every package; fast if nothing changed. Ends the process with 1
 * on failure.
 */
export async function setup() {
  requireNode();
  mkdirSync(STATE, { recursive: true });
  await withLock(join(STATE, 'lock'), async () => {
    await install();
    await build();
  });
}

function requireNode() {
  const required = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).engines.node;
  const [major, minor] = required.match(/\d+/g).map(Number);
  const [actualMajor, actualMinor] = process.versions.node.split('.').map(Number);
  if (actualMajor > major || (actualMajor === major && actualMinor >= minor)) return;
  console.error(`Node.js ${major}.${minor} or newer is needed; this is ${process.version}.`);
  process.exit(1);
}

async function install() {
  const directories = workspaceDirectories();
  const stamp = fingerprint(directories);
  if (readIfExists(STAMP) === stamp && directories.every((directory) => existsSync(join(ROOT, directory, 'node_modules'))))
    return;
  // With these flags, pnpm asks no questions and installs development dependencies even if NODE_ENV is production.
  const flags = ['--frozen-lockfile', '--prod=false', '--config.confirm-modules-purge=false'];
  orExit('Installing the dependencies', await runWithPnpm('pnpm', ['install', ...flags]));
  mkdirSync(STATE, { recursive: true });
  writeFileSync(STAMP, stamp);
}

/** Returns a hash that changes with every file on which an installation depends. */
function fingerprint(directories) {
  const hash = createHash('sha256').update(process.versions.node.split('.')[0]);
  const manifests = directories.map((directory) => join(directory, 'package.json'));
  for (const file of ['pnpm-lock.yaml', 'pnpm-workspace.yaml', '.npmrc', ...manifests]) {
    hash.update(`\n${file}\n`).update(readFileSync(join(ROOT, file)));
  }
  return hash.digest('hex');
}

function readIfExists(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

async function build() {
  const flags = ['--output-logs=errors-only', '--ui=stream', '--cache=local:rw'];
  orExit('Building the packages', await runWithPnpm('turbo', ['run', 'build', ...flags]));
}

function orExit(step, { code, output }) {
  if (code === 0) return;
  console.error(`${output}\n${step} failed.`);
  process.exit(1);
}

if (isMain(import.meta.url)) {
  const started = performance.now();
  await setup();
  console.log(`Ready in ${((performance.now() - started) / 1000).toFixed(1)} s.`);
}
