import type { CallToolResult } from '@modelcontextprotocol/server';

import type { ToolDefinition } from '../compile/primitives.ts';

/** A tool as it is listed where no structured content is sent: with an output schema clients would insist on it. */
export function withoutOutputSchema({ outputSchema: _, ...definition }: ToolDefinition): ToolDefinition {
  return definition;
}

/** A result as it is sent where no structured content is: its text is complete by itself. */
export function withoutStructuredContent({ structuredContent: _, ...result }: CallToolResult): CallToolResult {
  return result;
}
