import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { styled, title } from './display.mjs';

/**
 * Describes how to use the servers from Claude Desktop; `servers` contains the program and the arguments of each server by its
 * name.
 */
export async function claudeDesktopEntry(servers) {
  const mcpServers = {};
  let where = '';
  for (const [name, [program, ...args]] of Object.entries(servers)) {
    const printed = await promisify(execFile)(process.execPath, [program, 'config', 'claude-desktop', ...args]);
    [mcpServers[name]] = Object.values(JSON.parse(printed.stdout).mcpServers);
    where = printed.stderr.trim();
  }
  return [title('In Claude Desktop'), styled('green', JSON.stringify({ mcpServers }, undefined, 2)), '', where].join('\n');
}
