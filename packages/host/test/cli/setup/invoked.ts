import type { OptionsClass } from '../../../src/cli/run-server.ts';
import { parseArguments } from '../../../src/options/arguments.ts';
import { describeOptions } from '../../../src/options/option.ts';
import type { ServerOptions } from '../../../src/options/server-options.ts';
import type { Invocation } from '../../../src/cli/setup/invocation.ts';
import type { Machine } from '../../../src/process/machine.ts';

/** A machine with fixed paths, independent of the machine that runs the tests. */
export const MACHINE: Machine = {
  platform: 'linux',
  env: {},
  home: '/home/ada',
  directory: '/code/project',
  node: '/usr/bin/node',
  script: undefined,
};

/** Returns the invocation of `mcp-notes` with an optional operand and further arguments. */
export function invocationOf(Target: OptionsClass<ServerOptions>, argv: readonly string[], operand?: string): Invocation {
  const options = describeOptions(Target, 'mcp-notes');
  const given = parseArguments(argv, options);
  return {
    server: 'mcp-notes',
    operand,
    options,
    positional: Target.positional,
    arguments: given,
    positionals: given.positionals,
    chosen: Object.assign(new Target(), Object.fromEntries(given.values)),
    commands: ['serve', 'list', 'manifest', 'check', 'config', 'install'],
  };
}
