import path from 'node:path';

import type { Machine } from '../../process/machine.ts';
import { formatClaudeCommand } from './claude-command.ts';
import type { Client, EntryForm } from './client.ts';

const PLAIN: EntryForm = { command: ['command', 'args'], env: 'env' };
const TYPED: EntryForm = { ...PLAIN, fixed: { type: 'stdio' } };

/** Clients by the name in `config`, `install` and `uninstall`. */
export const CLIENTS: Readonly<Record<string, Client>> = {
  'claude-desktop': {
    title: 'Claude Desktop',
    file: (machine) => join(machine, getDataDirectory(machine), 'Claude', 'claude_desktop_config.json'),
    language: 'json',
    servers: 'mcpServers',
    form: PLAIN,
    needsShell: false,
    inputs: false,
    next: 'Quit and restart Claude Desktop.',
  },
  'claude-code': {
    title: 'Claude Code',
    file: (machine) => join(machine, machine.directory, '.mcp.json'),
    language: 'json',
    servers: 'mcpServers',
    form: TYPED,
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
    language: 'json',
    servers: 'servers',
    form: TYPED,
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
    language: 'json',
    servers: 'mcpServers',
    form: PLAIN,
    needsShell: false,
    inputs: false,
    next: 'Restart Cursor, or refresh the server in its settings.',
  },
  codex: {
    title: 'Codex',
    file: (machine) => join(machine, machine.env['CODEX_HOME'] || join(machine, machine.home, '.codex'), 'config.toml'),
    language: 'toml',
    servers: 'mcp_servers',
    form: PLAIN,
    needsShell: false,
    inputs: false,
    next: 'Start a new session of Codex.',
  },
  gemini: {
    title: 'Gemini CLI',
    file: (machine) => join(machine, machine.home, '.gemini', 'settings.json'),
    language: 'json',
    servers: 'mcpServers',
    form: PLAIN,
    needsShell: false,
    hasWorkingDirectoryAsRoot: true,
    inputs: false,
    next: 'Start a new session of Gemini CLI, or enter /mcp refresh.',
  },
  goose: {
    title: 'Goose',
    file: (machine) =>
      machine.platform === 'win32'
        ? join(machine, getDataDirectory(machine), 'Block', 'goose', 'config', 'config.yaml')
        : join(machine, getConfigHome(machine), 'goose', 'config.yaml'),
    language: 'yaml',
    servers: 'extensions',
    form: {
      command: ['cmd', 'args'],
      env: 'envs',
      fixed: { type: 'stdio' },
      initial: (name) => ({ enabled: true, name, timeout: 300 }),
    },
    needsShell: false,
    inputs: false,
    next: 'Start a new session of Goose.',
  },
  opencode: {
    title: 'opencode',
    file: (machine) => join(machine, getConfigHome(machine), 'opencode', 'opencode.json'),
    language: 'json',
    servers: 'mcp',
    form: { command: ['command'], env: 'environment', fixed: { type: 'local' }, initial: () => ({ enabled: true }) },
    needsShell: false,
    hasWorkingDirectoryAsRoot: true,
    inputs: false,
    next: 'Restart opencode.',
  },
  copilot: {
    title: 'GitHub Copilot CLI',
    file: (machine) => join(machine, machine.env['COPILOT_HOME'] || join(machine, machine.home, '.copilot'), 'mcp-config.json'),
    language: 'json',
    servers: 'mcpServers',
    form: { command: ['command', 'args'], env: 'env', fixed: { type: 'local' }, initial: () => ({ tools: ['*'] }) },
    needsShell: false,
    inputs: false,
    next: 'Restart GitHub Copilot CLI.',
  },
  zed: {
    title: 'Zed',
    file: (machine) =>
      machine.platform === 'win32'
        ? join(machine, getDataDirectory(machine), 'Zed', 'settings.json')
        : join(machine, getConfigHome(machine), 'zed', 'settings.json'),
    language: 'json',
    servers: 'context_servers',
    form: { command: ['command', 'args'], env: 'env', fixed: { source: 'custom' } },
    needsShell: false,
    inputs: false,
    next: 'Zed starts the server at once; its state is shown in the settings of the agent panel.',
  },
};

/** Returns the directory for application data of the user. */
function getDataDirectory(machine: Machine): string {
  const { platform, env, home } = machine;
  if (platform === 'win32') return env['APPDATA'] || join(machine, home, 'AppData', 'Roaming');
  if (platform === 'darwin') return join(machine, home, 'Library', 'Application Support');
  return getConfigHome(machine);
}

function join({ platform }: Machine, ...parts: readonly string[]): string {
  return (platform === 'win32' ? path.win32 : path.posix).join(...parts);
}

/** Returns the directory for configuration files, which some clients use on macOS and Windows, too. */
function getConfigHome(machine: Machine): string {
  return machine.env['XDG_CONFIG_HOME'] || join(machine, machine.home, '.config');
}
