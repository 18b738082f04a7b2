import path from 'node:path';

import type { Machine } from '../../process/machine.ts';
import type { Entry } from './entry.ts';

/** A program that starts servers, and its configuration file. */
export interface Client {
  /** Display name. */
  readonly title: string;
  /** Returns the path of the configuration file. */
  readonly file: (machine: Machine) => string;
  /** Key in the configuration file under which the servers are listed. */
  readonly servers: 'mcpServers' | 'servers';
  /** Whether an entry must have `type: 'stdio'`. */
  readonly typed: boolean;
  /** Whether `npx` must be started by a shell on Windows. */
  readonly needsShell: boolean;
  /**
   * Present if the file is shared with a project: the reference that the file contains instead of a secret, and advice
   * for the user. Absent if only the user has the file, which then contains the secret itself.
   */
  readonly secret?: { readonly reference: (variable: string) => string; readonly advice: (variable: string) => string };
  /** Present if the client always reports its working directory as its only root. */
  readonly hasWorkingDirectoryAsRoot?: true;
  /** Whether the file declares inputs that the client asks its user for. */
  readonly inputs: boolean;
  /** Next step for the user. */
  readonly next: string;
  /** Formats a command that adds the server instead of editing the file. */
  readonly command?: (server: string, entry: Entry, machine: Machine) => string;
}

/** Clients by the name in `config` and `install`. */
export const CLIENTS: Readonly<Record<string, Client>> = {
  'claude-desktop': {
    title: 'Claude Desktop',
    file: (machine) => join(machine, getDataDirectory(machine), 'Claude', 'claude_desktop_config.json'),
    servers: 'mcpServers',
    typed: false,
    needsShell: false,
    inputs: false,
    next: 'Quit and restart Claude Desktop.',
  },
  'claude-code': {
    title: 'Claude Code',
    file: (machine) => join(machine, machine.directory, '.mcp.json'),
    servers: 'mcpServers',
    typed: true,
    needsShell: true,
    secret: {
      reference: (variable) => `\${${variable}}`,
      advice: (variable) => `Set ${variable} in the environment of Claude Code.`,
    },
    hasWorkingDirectoryAsRoot: true,
    inputs: false,
    next: 'Restart Claude Code in this directory and approve the server.',
    command: formatClaudeCommand,
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
    next: 'Reload this directory in VS Code, or start the server with "MCP: List Servers".',
  },
  cursor: {
    title: 'Cursor',
    file: (machine) => join(machine, machine.home, '.cursor', 'mcp.json'),
    servers: 'mcpServers',
    typed: false,
    needsShell: false,
    inputs: false,
    next: 'Restart Cursor, or refresh the server in its settings.',
  },
};

/** Returns the directory for application data of the user. */
function getDataDirectory(machine: Machine): string {
  const { platform, env, home } = machine;
  if (platform === 'win32') return env['APPDATA'] || join(machine, home, 'AppData', 'Roaming');
  if (platform === 'darwin') return join(machine, home, 'Library', 'Application Support');
  return env['XDG_CONFIG_HOME'] || join(machine, home, '.config');
}

function join({ platform }: Machine, ...parts: readonly string[]): string {
  return (platform === 'win32' ? path.win32 : path.posix).join(...parts);
}

/** Formats the `claude mcp add` command, which adds the server for the current user only. */
function formatClaudeCommand(
  name: string,
  { command, args, env, secrets }: Entry,
  { platform }: Pick<Machine, 'platform'>,
): string {
  const isWindows = platform === 'win32';
  const quote = isWindows ? quoteForWindows : quoteForShell;
  const variables = [
    ...Object.entries(env).map(([variable, value]) => quote(`${variable}=${value}`)),
    // Refers to the secret by a variable, so that the shell history does not contain the secret itself.
    ...Object.keys(secrets).map((variable) => (isWindows ? `${variable}=%${variable}%` : `${variable}="$${variable}"`)),
  ];
  const program = isWindows && command === 'npx' ? ['cmd', '/c', command, ...args] : [command, ...args];
  return ['claude mcp add', name, ...variables.map((variable) => `--env ${variable}`), '--', ...program.map(quote)].join(' ');
}

function quoteForShell(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function quoteForWindows(text: string): string {
  return /^[\w@+=:,./\\-]+$/.test(text) ? text : `"${text.replaceAll('"', String.raw`\"`)}"`;
}
