import type { Command } from './command.ts';

export const uninstall: Command = {
  summary: 'Remove the entry from the configuration of a client; keeps a backup of the file',
  operand: 'CLIENT',
  flags: ['dry-run', 'name'],
  async run({ invocation, machine, print }) {
    const { uninstallServer } = await import('../setup/install-server.ts');
    print((await uninstallServer(invocation, machine)).join('\n'));
    return 0;
  },
};
