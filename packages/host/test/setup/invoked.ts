import type { OptionsClass } from '../../src/run-server.ts';
import { parseArguments } from '../../src/options/arguments.ts';
import { optionsOf } from '../../src/options/option.ts';
import type { ServerOptions } from '../../src/server-options.ts';
import type { Invocation } from '../../src/setup/invocation.ts';
import type { Machine } from '../../src/setup/machine.ts';

/** A machine on which nothing is where it is on this one. */
export const MACHINE: Machine = {
  platform: 'linux',
  env: {},
  home: '/home/ada',
  directory: '/code/project',
  node: '/usr/bin/node',
  script: undefined,
};

/** How `mcp-notes` was called: an operand, if there is one, and the arguments behind it. */
export function invocationOf(Target: OptionsClass<ServerOptions>, argv: readonly string[], operand?: string): Invocation {
  const options = optionsOf(Target, 'mcp-notes');
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
