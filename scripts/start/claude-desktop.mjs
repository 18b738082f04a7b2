import { styled, title } from './display.mjs';

const LOCATIONS = {
  macOS: '~/Library/Application Support/Claude/claude_desktop_config.json',
  Windows: String.raw`%APPDATA%\Claude\claude_desktop_config.json`,
  Linux: '~/.config/Claude/claude_desktop_config.json',
};

/** What to write where to use the servers from Claude Desktop; `servers` has the arguments of each, by its name there. */
export function claudeDesktopEntry(servers) {
  const entries = Object.entries(servers).map(([name, args]) => [name, { command: process.execPath, args }]);
  const entry = { mcpServers: Object.fromEntries(entries) };
  const locations = Object.entries(LOCATIONS).map(([system, path]) => `  ${system.padEnd(7)}  ${path}`);
  return [
    title('In Claude Desktop'),
    'Put this into claude_desktop_config.json and start Claude Desktop again:',
    '',
    styled('green', JSON.stringify(entry, undefined, 2)),
    '',
    'That file lies here:',
    '',
    ...locations,
  ].join('\n');
}
