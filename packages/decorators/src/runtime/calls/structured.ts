import type { CallToolResult } from '@modelcontextprotocol/server';

import type { ToolDefinition } from '../../compile/compiled-server.ts';

/**
 * Returns the definition without its output schema, for clients that get no structured content: a client rejects results without
 * the structure that the schema promises.
 */
export function withoutOutputSchema({ outputSchema: _, ...definition }: ToolDefinition): ToolDefinition {
  return definition;
}

/** Returns the result for clients that get no structured content. A result without text gets the JSON of its structure as text. */
export function withoutStructuredContent({ structuredContent, ...result }: CallToolResult): CallToolResult {
  if (structuredContent === undefined || result.content.length > 0) return result;
  return { ...result, content: [{ type: 'text', text: JSON.stringify(structuredContent) }] };
}
