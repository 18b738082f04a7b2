import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from '../workspace/run.mjs';
import { readManifest, writeManifest } from './manifest.mjs';

/** The page that describes the configuration of each runner to users. */
const PAGE = join(ROOT, 'docs/build/test-runners.md');

const LONG_TIMEOUT = ['--', '--testTimeout=60000'];

/**
 * The test runners by name. `heading` is the part of the page with the configuration; without it, the package keeps its own
 * script `test`. `flags` are the arguments of `npm test`.
 */
export const RUNNERS = {
  vitest: { flags: LONG_TIMEOUT },
  'node-test': { heading: 'node:test', flags: [] },
  'ts-jest': { heading: 'Jest', flags: LONG_TIMEOUT },
};

/**
 * Configures a package for a runner: writes the files of the page, and merges its `package.json`. Returns whether the package
 * has new dependencies.
 */
export function addRunner(directory, runner) {
  const { heading } = RUNNERS[runner];
  if (heading === undefined) return false;
  const { manifest, files } = readConfiguration(heading);
  for (const [name, code] of files) writeFileSync(join(directory, name), code);
  const { scripts, devDependencies, ...rest } = readManifest(directory);
  writeManifest(directory, {
    ...rest,
    scripts: { ...scripts, ...manifest.scripts },
    devDependencies: { ...devDependencies, ...manifest.devDependencies },
  });
  return manifest.devDependencies !== undefined;
}

/** Returns the `package.json` of a part of the page, and its files. The first line of each block names the file. */
function readConfiguration(heading) {
  const part = readFileSync(PAGE, 'utf8')
    .split(/^#+ /m)
    .find((text) => text.startsWith(`${heading}\n`));
  const blocks = (language) =>
    Array.from(part.matchAll(new RegExp(`^\`\`\`${language} \\[([^\\]]+)\\]\\n(.*?)^\`\`\`$`, 'gms')), ([, name, code]) => [
      name,
      code,
    ]);
  return { manifest: JSON.parse(blocks('json')[0][1]), files: blocks('js') };
}
