import { spawn } from 'node:child_process';
import { readFileSync, realpathSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Absolute path of the repository. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const { packageManager } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

const ENVIRONMENT = {
  ...process.env,
  PATH: [join(ROOT, 'node_modules', '.bin'), process.env.PATH].join(delimiter),
  TURBO_TELEMETRY_DISABLED: '1',
  DO_NOT_TRACK: '1',
};

/**
 * Runs a program of the workspace, or of the machine, in `directory` (default: the root of the repository). Resolves to its
 * exit code and its output. With `inherit`, the program uses the standard streams of this process, and `output` is empty.
 * `variables` are added to its environment.
 */
export function run(command, args, { directory = ROOT, inherit = false, variables = {} } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: directory,
      env: { ...ENVIRONMENT, ...variables },
      stdio: ['ignore', inherit ? 'inherit' : 'pipe', inherit ? 'inherit' : 'pipe'],
      // On Windows, npx and the programs in node_modules/.bin are .cmd files.
      shell: process.platform === 'win32',
    });
    let output = '';
    const collect = (chunk) => (output += chunk);
    child.stdout?.setEncoding('utf8').on('data', collect);
    child.stderr?.setEncoding('utf8').on('data', collect);
    child.once('error', reject);
    // Ctrl-C reaches the whole process group, but SIGTERM reaches only this process, which therefore ends the program.
    const stop = () => child.kill('SIGTERM');
    if (inherit) process.once('SIGTERM', stop);
    child.once('close', (code) => {
      process.off('SIGTERM', stop);
      resolve({ code: code ?? 1, output });
    });
  });
}

/** Runs a program with the pinned pnpm on its PATH; npm downloads pnpm once. */
export function runWithPnpm(command, args) {
  return run('npx', ['--yes', '--prefer-offline', '--package', packageManager.split('+')[0], '--', command, ...args]);
}

/** Returns whether a module was started as a script, not imported. */
export function isMain(url) {
  return realpathSync(process.argv[1]) === fileURLToPath(url);
}
