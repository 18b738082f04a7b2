import path from 'node:path';

import { claudeCommand } from './claude-command.ts';
import type { Entry } from './entry.ts';
import type { Machine } from './machine.ts';

/** A program that starts servers, and the file in which it is told of them. */
export interface Client {
  /** As people call it. */
  readonly title: string;
  /** Its configuration file. */
  readonly file: (machine: Machine) => string;
  /** The key of that file under which the servers are, by name. */
  readonly servers: 'mcpServers' | 'servers';
  /** Whether each says that it is served over stdio. */
  readonly typed: boolean;
  /** Started without a shell, `npx` of Windows is not found. */
  readonly needsShell: boolean;
  /**
   * What stands for a secret in a file that others of a project read, too, and what a person has to know of it. Without it, the file is
   * the user's own and has the secret itself.
   */
  readonly secret?: { readonly reference: (variable: string) => string; readonly advice: (variable: string) => string };
  /** Present if the client reports its working directory as its only root, whatever its user works on. */
  readonly hasWorkingDirectoryAsRoot?: true;
  /** Whether the file declares what the client asks its user for. */
  readonly inputs: boolean;
  /** What a person does next. */
  readonly next: string;
  /** The line by which a person may tell the client instead. */
  readonly command?: (server: string, entry: Entry, machine: Machine) => string;
}

/** By the name that `config` and `install` take. */
export const CLIENTS: Readonly<Record<string, Client>> = {
  'claude-desktop': {
    title: 'Claude Desktop',
    file: (machine) => join(machine, applicationData(machine), 'Claude', 'claude_desktop_config.json'),
    servers: 'mcpServers',
    typed: false,
    needsShell: false,
    inputs: false,
    next: 'Quit Claude Desktop and start it again.',
  },
  'claude-code': {
    title: 'Claude Code',
    file: (machine) => join(machine, machine.directory, '.mcp.json'),
    servers: 'mcpServers',
    typed: true,
    needsShell: true,
    secret: {
      reference: (variable) => `\${${variable}}`,
      advice: (variable) => `Set ${variable} in the environment from which Claude Code is started.`,
    },
    hasWorkingDirectoryAsRoot: true,
    inputs: false,
    next: 'Start Claude Code again in this directory and approve the server.',
    command: claudeCommand,
  },
  vscode: {
    title: 'VS Code',
    file: (machine) => join(machine, machine.directory, '.vscode', 'mcp.json'),
    servers: 'servers',
    typed: true,
    needsShell: false,
    secret: {
      reference: (variable) => `\${input:${variable}}`,
      advice: (variable) => `VS Code asks for ${variable} when it starts the server for the first time.`,
    },
    inputs: true,
    next: 'Open this directory in VS Code again, or start the server there by "MCP: List Servers".',
  },
  cursor: {
    title: 'Cursor',
    file: (machine) => join(machine, machine.home, '.cursor', 'mcp.json'),
    servers: 'mcpServers',
    typed: false,
    needsShell: false,
    inputs: false,
    next: 'Start Cursor again, or refresh the server in its settings.',
  },
};

/** Where the programs of a user keep what they know. */
function applicationData(machine: Machine): string {
  const { platform, env, home } = machine;
  if (platform === 'win32') return env['APPDATA'] || join(machine, home, 'AppData', 'Roaming');
  if (platform === 'darwin') return join(machine, home, 'Library', 'Application Support');
  return env['XDG_CONFIG_HOME'] || join(machine, home, '.config');
}

function join({ platform }: Machine, ...parts: readonly string[]): string {
  return (platform === 'win32' ? path.win32 : path.posix).join(...parts);
}
