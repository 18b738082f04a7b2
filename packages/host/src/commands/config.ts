import type { Command } from './command.ts';

export const config: Command = {
  summary: 'Print what the configuration of a client needs: claude-desktop, claude-code, vscode or cursor',
  operand: 'CLIENT',
  async run({ invocation, machine, print, note }) {
    const { prepare } = await import('../setup/preparation.ts');
    const { editConfiguration } = await import('../setup/edit-configuration.ts');
    const { file, changes, advice } = await prepare(invocation, machine);
    print(editConfiguration('', changes).trimEnd());
    note([`This belongs into ${file}; install instead of config writes it there.`, ...advice].join('\n'));
    return 0;
  },
};
