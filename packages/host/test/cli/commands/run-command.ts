import type { Command } from '../../../src/cli/commands/command.ts';
import { createServerInstance } from '../../../src/server/server-instance.ts';
import { Log } from '../../../src/process/log.ts';
import type { ServerClass } from '../../../src/process/server-object.ts';
import { invocationOf, MACHINE } from '../setup/invoked.ts';
import { ServerOptions } from '../../../src/options/server-options.ts';

/** Runs a subcommand for a server class with these options over the defaults. */
export async function runCommand(
  command: Command,
  target: ServerClass<ServerOptions>,
  given: Partial<ServerOptions> = {},
): Promise<{ readonly code: number; readonly printed: string }> {
  const options = Object.assign(new ServerOptions(), given);
  const printed: string[] = [];
  const log = new Log({ level: 'off', format: 'text', write: () => undefined });
  const code = await command.run({
    log,
    create: () => Promise.resolve(createServerInstance(new target(options), options, { visible: {}, log })),
    print: (text) => printed.push(text),
    note: () => undefined,
    invocation: invocationOf(ServerOptions, []),
    machine: MACHINE,
  });
  return { code, printed: printed.join('\n') };
}
