import type { Command } from './command.ts';

export const config: Command = {
  summary:
    'Print the entry for the configuration of a client: claude-desktop, claude-code, vscode, cursor, codex, gemini, goose, opencode, copilot or zed',
  operand: 'CLIENT',
  flags: ['name'],
  async run({ invocation, machine, print, note }) {
    const { prepare } = await import('../setup/preparation.ts');
    const { editConfiguration, loadEditor } = await import('../setup/edit-configuration.ts');
    const { client, file, changes, advice } = await prepare(invocation, machine);
    print(editConfiguration(await loadEditor(client.language), '', changes).trimEnd());
    note([`Add this to ${file}, or run install instead of config.`, ...advice].join('\n'));
    return 0;
  },
};
