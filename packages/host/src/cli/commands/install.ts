import type { Command } from './command.ts';

export const install: Command = {
  summary: 'Write the entry into the configuration of a client; keeps a backup of the file',
  operand: 'CLIENT',
  flags: ['dry-run', 'name'],
  async run({ invocation, machine, print }) {
    const { installServer } = await import('../setup/install-server.ts');
    print((await installServer(invocation, machine)).join('\n'));
    return 0;
  },
};
