import { describe, expect, it } from 'vitest';

import { CLIENTS } from '../../../src/cli/setup/clients.ts';
import { createChanges } from '../../../src/cli/setup/preparation.ts';
import { editConfiguration, loadEditor } from '../../../src/cli/setup/edit-configuration.ts';
import type { Entry } from '../../../src/cli/setup/entry.ts';
import type { Machine } from '../../../src/process/machine.ts';
import { MACHINE } from './invoked.ts';

const MAC: Machine = { ...MACHINE, platform: 'darwin', home: '/Users/ada' };
const WINDOWS: Machine = {
  ...MACHINE,
  platform: 'win32',
  home: String.raw`C:\Users\ada`,
  directory: String.raw`C:\work`,
  env: { APPDATA: String.raw`D:\Roaming` },
};
const ENTRY: Entry = { command: 'npx', args: ['-y', 'notes', '/srv/notes'], env: {}, secrets: {}, revealing: [] };
const SECRET: Entry = {
  ...ENTRY,
  env: { NOTES_CACHE: '0' },
  secrets: { NOTES_URL: 'postgres://ada:pw@db/x' },
  revealing: ['NOTES_URL'],
};

async function configured(name: string, entry: Entry, machine: Machine = MACHINE): Promise<unknown> {
  const client = CLIENTS[name];
  if (client === undefined) return undefined;
  const editor = await loadEditor(client.language);
  return editor.parse(editConfiguration(editor, '', createChanges(client, 'notes', entry, machine)));
}

describe('the configuration file of a client', () => {
  it.each<readonly [string, Machine, string]>([
    ['claude-desktop', MAC, '/Users/ada/Library/Application Support/Claude/claude_desktop_config.json'],
    ['claude-desktop', MACHINE, '/home/ada/.config/Claude/claude_desktop_config.json'],
    [
      'claude-desktop',
      { ...MACHINE, env: { XDG_CONFIG_HOME: '/home/ada/.own' } },
      '/home/ada/.own/Claude/claude_desktop_config.json',
    ],
    ['claude-desktop', WINDOWS, String.raw`D:\Roaming\Claude\claude_desktop_config.json`],
    ['claude-desktop', { ...WINDOWS, env: {} }, String.raw`C:\Users\ada\AppData\Roaming\Claude\claude_desktop_config.json`],
    ['claude-code', MACHINE, '/code/project/.mcp.json'],
    ['claude-code', WINDOWS, String.raw`C:\work\.mcp.json`],
    ['vscode', MAC, '/code/project/.vscode/mcp.json'],
    ['cursor', MACHINE, '/home/ada/.cursor/mcp.json'],
    ['cursor', WINDOWS, String.raw`C:\Users\ada\.cursor\mcp.json`],
    ['codex', MAC, '/Users/ada/.codex/config.toml'],
    ['codex', { ...MACHINE, env: { CODEX_HOME: '/opt/codex' } }, '/opt/codex/config.toml'],
    ['gemini', WINDOWS, String.raw`C:\Users\ada\.gemini\settings.json`],
    ['goose', MAC, '/Users/ada/.config/goose/config.yaml'],
    ['goose', WINDOWS, String.raw`D:\Roaming\Block\goose\config\config.yaml`],
    ['opencode', MACHINE, '/home/ada/.config/opencode/opencode.json'],
    ['opencode', WINDOWS, String.raw`C:\Users\ada\.config\opencode\opencode.json`],
    ['copilot', MAC, '/Users/ada/.copilot/mcp-config.json'],
    ['zed', { ...MACHINE, env: { XDG_CONFIG_HOME: '/home/ada/.own' } }, '/home/ada/.own/zed/settings.json'],
    ['zed', MAC, '/Users/ada/.config/zed/settings.json'],
    ['zed', WINDOWS, String.raw`D:\Roaming\Zed\settings.json`],
  ])('of %s has the path that the client reads: %j', (name, machine, file) => {
    expect(CLIENTS[name]?.file(machine)).toBe(file);
  });
});

describe('the entry of a server', () => {
  const started = { command: 'npx', args: ['-y', 'notes', '/srv/notes'] };

  it.each<readonly [string, unknown]>([
    ['claude-desktop', { mcpServers: { notes: started } }],
    ['claude-code', { mcpServers: { notes: { type: 'stdio', ...started } } }],
    ['vscode', { servers: { notes: { type: 'stdio', ...started } } }],
    ['cursor', { mcpServers: { notes: started } }],
    ['codex', { mcp_servers: { notes: started } }],
    ['gemini', { mcpServers: { notes: started } }],
    [
      'goose',
      {
        extensions: {
          notes: { enabled: true, name: 'notes', timeout: 300, type: 'stdio', cmd: 'npx', args: ['-y', 'notes', '/srv/notes'] },
        },
      },
    ],
    ['opencode', { mcp: { notes: { enabled: true, type: 'local', command: ['npx', '-y', 'notes', '/srv/notes'] } } }],
    ['copilot', { mcpServers: { notes: { tools: ['*'], type: 'local', ...started } } }],
    ['zed', { context_servers: { notes: { source: 'custom', ...started } } }],
  ])('has the form that %s reads', async (name, configuration) => {
    expect(await configured(name, ENTRY)).toEqual(configuration);
  });

  it.each(['claude-desktop', 'cursor'])('contains the secret if the file belongs to the user: %s', async (name) => {
    const env = { NOTES_CACHE: '0', NOTES_URL: 'postgres://ada:pw@db/x' };
    expect(await configured(name, SECRET)).toEqual({ mcpServers: { notes: { ...started, env } } });
  });

  it('only references the secret if the file is shared', async () => {
    const env = { NOTES_CACHE: '0', NOTES_URL: '${NOTES_URL}' };
    expect(await configured('claude-code', SECRET)).toEqual({ mcpServers: { notes: { type: 'stdio', ...started, env } } });
    expect(await configured('vscode', SECRET)).toEqual({
      inputs: [{ type: 'promptString', id: 'NOTES_URL', description: 'NOTES_URL of notes', password: true }],
      servers: { notes: { type: 'stdio', ...started, env: { NOTES_CACHE: '0', NOTES_URL: '${input:NOTES_URL}' } } },
    });
  });

  it('runs npx in a shell if Claude Code would not find npx', async () => {
    expect(await configured('claude-code', ENTRY, WINDOWS)).toMatchObject({
      mcpServers: { notes: { command: 'cmd', args: ['/c', 'npx', '-y', 'notes', '/srv/notes'] } },
    });
    const file = { ...ENTRY, command: 'C:\\node.exe' };
    expect(await configured('claude-code', file, WINDOWS)).toMatchObject({ mcpServers: { notes: { command: 'C:\\node.exe' } } });
  });
});

describe('the command for Claude Code', () => {
  it.each<readonly [Entry, Machine, string]>([
    [ENTRY, MACHINE, 'claude mcp add notes -- npx -y notes /srv/notes'],
    [ENTRY, WINDOWS, 'claude mcp add notes -- cmd /c npx -y notes /srv/notes'],
    [
      { ...ENTRY, args: ["it's", 'a b', '$HOME', '--x=*'] },
      MACHINE,
      String.raw`claude mcp add notes -- npx 'it'\''s' 'a b' '$HOME' '--x=*'`,
    ],
    [
      { ...ENTRY, command: String.raw`C:\node.exe`, args: ['a b', 'say "x"'] },
      WINDOWS,
      String.raw`claude mcp add notes -- C:\node.exe "a b" "say \"x\""`,
    ],
    [SECRET, MACHINE, 'claude mcp add notes --env NOTES_CACHE=0 --env NOTES_URL="$NOTES_URL" -- npx -y notes /srv/notes'],
    [SECRET, WINDOWS, 'claude mcp add notes --env NOTES_CACHE=0 --env NOTES_URL=%NOTES_URL% -- cmd /c npx -y notes /srv/notes'],
  ])('can be pasted into a shell and contains no secret: %j', (entry, machine, line) => {
    expect(CLIENTS['claude-code']?.command?.('notes', entry, machine)).toBe(line);
  });
});
