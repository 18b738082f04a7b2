import { delimiter, dirname, join } from 'node:path';

import { ROOT, run } from '../workspace/run.mjs';

/**
 * Finds a version of Node.js, such as `22`, or `current`; npm downloads it once. Resolves to the exact version, and a function
 * that runs a program with this version on its PATH. If the version cannot be installed, `output` has the reason.
 */
export async function findNode(version) {
  const print = ['node', '--print', 'process.execPath + "\\n" + process.versions.node'];
  const command =
    version === 'current' ? print : ['npx', '--yes', '--prefer-offline', '--package', `node@${version}`, '--', ...print];
  const { code, output } = await run(command[0], command.slice(1));
  const [path, exact] = output.trim().split('\n').slice(-2);
  if (code !== 0) return { name: version, output };
  const PATH = [dirname(path), join(ROOT, 'node_modules/.bin'), process.env.PATH].join(delimiter);
  return {
    name: exact,
    run: (program, args, directory) => run(program, args, { directory, variables: { PATH, NO_COLOR: '1' } }),
  };
}
