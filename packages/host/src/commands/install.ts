import type { Command } from './command.ts';

export const install: Command = {
  summary: 'Write that into the configuration of the client, and keep a copy of the file as it was',
  operand: 'CLIENT',
  async run({ invocation, machine, print }) {
    const { installServer } = await import('../setup/install-server.ts');
    print((await installServer(invocation, machine)).join('\n'));
    return 0;
  },
};
