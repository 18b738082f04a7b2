import type { ServerContext } from '@modelcontextprotocol/server';

import { describeClient, type ClientConnection } from './client.ts';

/** Whether results contain structured content and `tools/list` contains output schemas. */
export type StructuredMode = 'auto' | 'always' | 'never';

/**
 * Hosts, by `clientInfo.name`, that get no structured content: their models would see it instead of the text, in addition to the
 * text, or not at all. The text is complete and takes fewer tokens. Measured with the versions of November 2026.
 */
const TEXT_HOSTS: ReadonlySet<string> = new Set([
  'claude-code',
  'codex-mcp-client',
  'copilot-cli',
  'gemini-cli-mcp-client',
  'opencode',
  'kilo',
  'continue-cli-client',
  '@cline/core',
]);

/** Start of the `clientInfo.name` of Qwen Code, which appends the name of the server. */
const TEXT_HOST_PREFIX = 'qwen-cli-mcp-client-';

/** Whether the client of a request gets structured content and output schemas. */
export function sendsStructure(mode: StructuredMode, connection: ClientConnection, request: ServerContext): boolean {
  if (mode !== 'auto') return mode === 'always';
  const { name } = describeClient(connection, request);
  return !TEXT_HOSTS.has(name) && !name.startsWith(TEXT_HOST_PREFIX);
}
