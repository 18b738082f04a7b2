import {
  ProtocolError,
  ProtocolErrorCode,
  type CallToolRequest,
  type CallToolResult,
  type InputRequiredResult,
  type ServerContext,
} from '@modelcontextprotocol/server';

import type { CompiledTool } from '../compile/primitives.ts';
import { Result } from '../result.ts';
import type { ClassSchema } from '../schema/class-schema.ts';
import type { Connection } from './connection.ts';
import { failedTool, reporterFor } from './failure.ts';
import { invoke } from './invoke.ts';
import { shorten } from '../shorten.ts';
import { RequestContext } from './request-context.ts';

export async function callTool(
  { served, clientRoots }: Connection,
  { params }: CallToolRequest,
  { mcpReq }: ServerContext,
): Promise<CallToolResult | InputRequiredResult> {
  const tool = served.tools.get(params.name);
  if (tool === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${shorten(params.name)}`);
  return RequestContext.run(mcpReq, clientRoots, async (context) => {
    try {
      return render(tool, await invoke(served.server, tool, { arguments: params.arguments }, context));
    } catch (error) {
      return failedTool(error, tool, reporterFor(served.onError, mcpReq.signal));
    }
  });
}

function render(tool: CompiledTool, returned: unknown): CallToolResult {
  if (Result.is(returned)) return renderResult(tool, returned);
  if (tool.output !== undefined) return renderOutput(tool, tool.output, returned);
  if (typeof returned === 'string') return { content: [{ type: 'text', text: returned }] };
  if (returned === undefined || returned === null) return { content: [] };
  if (typeof returned !== 'object') return { content: [{ type: 'text', text: JSON.stringify(returned) }] };
  return isFullResult(returned) ? returned : { content: [{ type: 'text', text: JSON.stringify(returned) }] };
}

// Asked before whether it is a full result: an output class may have a property named `content` of its own.
function renderOutput({ place }: CompiledTool, output: ClassSchema, returned: unknown): CallToolResult {
  if (typeof returned !== 'object' || returned === null) throw withoutStructure(place);
  const structuredContent = output.project(returned);
  return { structuredContent, content: [{ type: 'text', text: JSON.stringify(structuredContent) }] };
}

function renderResult({ output, place }: CompiledTool, { texts, structured, facts }: Result): CallToolResult {
  if (output !== undefined && structured === undefined) throw withoutStructure(place);
  return {
    content: texts.map((text) => ({ type: 'text', text })),
    ...(structured !== undefined && { structuredContent: output?.project(structured) ?? { ...structured } }),
    ...(facts !== undefined && { _meta: { ...facts } }),
  };
}

/** Clients refuse such a result, so it is the server's mistake. */
function withoutStructure(place: string): TypeError {
  return new TypeError(`${place} has an output class and returned no object of it`);
}

function isFullResult(returned: object): returned is CallToolResult {
  return 'content' in returned && Array.isArray(returned.content) && returned.content.every(isContentBlock);
}

function isContentBlock(block: unknown): boolean {
  return typeof block === 'object' && block !== null && 'type' in block && typeof block.type === 'string';
}
