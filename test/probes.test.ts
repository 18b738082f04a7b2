import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { describe, expect, it } from 'vitest';

const SCRIPT = fileURLToPath(new URL('../scripts/probes.mjs', import.meta.url));

/** Runs `scripts/probes.mjs`. Resolves to the exit code and the output of the script. */
function probes(...args: readonly string[]): Promise<{ readonly code: number; readonly output: string }> {
  // The test runners of the examples must not find the environment variables of the test runner of this file.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(VITEST|NODE_ENV|MCP_)/.test(name)));
  return new Promise((resolve) => {
    execFile(process.execPath, [SCRIPT, ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), output: stdout + stderr }),
    );
  });
}

const EXAMPLES = readdirSync(fileURLToPath(new URL('../examples', import.meta.url)), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && existsSync(path.join(entry.parentPath, entry.name, 'package.json')))
  .map(({ name }) => name);
const STEPS = ['install', 'build', 'start', 'node-test'];

describe('the probes', () => {
  it('build and test each example against the packed packages', async () => {
    // Only the runner of Node.js is used here, because the tests of the examples also run in vitest from the sources.
    const { code, output } = await probes('--links', '--runner', 'node-test');
    expect(code, output).toBe(0);
    const cells = EXAMPLES.flatMap((name) => STEPS.map((step) => `${name} ${step}`));
    for (const cell of cells) expect(output).toContain(`✓ ${cell} on Node.js ${process.versions.node}\n`);
    expect(output).toMatch(/\n\d+ passed, 0 failed\n$/);
  }, 600_000);

  it.each([
    ['an unknown name', ['extend-all'], 'Unknown name "extend-all".'],
    ['an unknown runner', ['--runner', 'vitest,mocha'], 'Unknown runner "mocha".'],
    ['an invalid version', ['--node', '20,lts'], 'Invalid version "lts".'],
    ['an unknown option', ['--fast'], "Unknown option '--fast'"],
    ['a package that needs npm', ['--links', 'starter'], 'starter cannot be used with --links.'],
    ['another version with links', ['--links', '--node', '22'], '--links uses the current version of Node.js.'],
  ])('reject %s', async (_, args, message) => {
    const { code, output } = await probes(...args);
    expect(code).toBe(2);
    expect(output).toContain(message);
    expect(output).toContain('See npm run probes -- --help.');
  });
});
