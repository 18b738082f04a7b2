import type { CallToolResult, ServerContext } from '@modelcontextprotocol/server';

import type { ToolDefinition } from '../compile/primitives.ts';
import { clientOf } from './caller.ts';
import type { Connection } from './connection.ts';

/** When results carry structured content, and tools list output schemas. */
export type StructuredMode = 'auto' | 'always' | 'never';

/**
 * Hosts, by `clientInfo.name`, that give the model the structured content in place of the text, both of them, or only the text. The
 * text is complete, and takes fewer tokens. Measured with the versions of November 2026.
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

/** Qwen Code appends the name of the server. */
const TEXT_HOST_PREFIX = 'qwen-cli-mcp-client-';

/** Whether the client of a request gets structured content and output schemas. */
export function sendsStructure(connection: Connection, request: ServerContext): boolean {
  const { structured } = connection.served;
  if (structured !== 'auto') return structured === 'always';
  const { name } = clientOf(connection, request);
  return !TEXT_HOSTS.has(name) && !name.startsWith(TEXT_HOST_PREFIX);
}

/** Returns the definition for clients that get no structured content; they would reject results that lack a promised structure. */
export function withoutOutputSchema({ outputSchema: _, ...definition }: ToolDefinition): ToolDefinition {
  return definition;
}

/** Returns the result for clients that get no structured content. A result without text gets the JSON of its structure as text. */
export function withoutStructuredContent({ structuredContent, ...result }: CallToolResult): CallToolResult {
  if (structuredContent === undefined || result.content.length > 0) return result;
  return { ...result, content: [{ type: 'text', text: JSON.stringify(structuredContent) }] };
}
