import { cpSync } from 'node:fs';
import { basename, join } from 'node:path';

import { workspaceDirectories } from '../workspace/packages.mjs';
import { ROOT, run } from '../workspace/run.mjs';

const NOT_COPIED = /^(node_modules|dist|\.turbo|.*\.tsbuildinfo)$/;

const BUILD = { build: ['npm', 'run', 'build'], start: ['node', 'dist/main.js', '--version'] };

/**
 * The packages by name. `create` writes the files of the package into an empty directory, and `steps` contains the commands
 * before the tests.
 */
export const PACKAGES = {
  ...Object.fromEntries(workspaceDirectories().filter(isExample).map(exampleEntry)),
  starter: { create: createStarter, steps: { ...BUILD, bundle: ['npm', 'run', 'bundle'] } },
};

function isExample(directory) {
  return directory.startsWith('examples/');
}

function exampleEntry(example) {
  return [basename(example), { create: (directory) => copyExample(example, directory), steps: BUILD }];
}

async function copyExample(example, directory) {
  cpSync(join(ROOT, example), directory, { recursive: true, filter: (source) => !NOT_COPIED.test(basename(source)) });
  return { code: 0, output: '' };
}

/** Runs the packed program as `npm create` does. */
function createStarter(directory, { tarballs }) {
  const program = `file:${tarballs.get('@org/create-mcp')}`;
  return run('npm', ['exec', '--yes', '--', program, 'weather', '--directory', '.'], { directory });
}
