import type { Command } from './command.ts';

export const config: Command = {
  summary: 'Print the entry for the configuration of a client: claude-desktop, claude-code, vscode or cursor',
  operand: 'CLIENT',
  async run({ invocation, machine, print, note }) {
    const { prepare } = await import('../setup/preparation.ts');
    const { editConfiguration } = await import('../setup/edit-configuration.ts');
    const { file, changes, advice } = await prepare(invocation, machine);
    print(editConfiguration('', changes).trimEnd());
    note([`Add this to ${file}, or run install instead of config.`, ...advice].join('\n'));
    return 0;
  },
};
