import {
  ProtocolError,
  ProtocolErrorCode,
  type CallToolRequest,
  type CallToolResult,
  type ServerContext,
} from '@modelcontextprotocol/server';

import type { CompiledTool } from '../compile/primitives.ts';
import { Result } from '../result.ts';
import type { ClassSchema } from '../schema/class-schema.ts';
import { failedTool } from './failure.ts';
import { invoke } from './invoke.ts';
import { RequestContext } from './request-context.ts';
import type { Served } from './served.ts';

export async function callTool(served: Served, { params }: CallToolRequest, { mcpReq }: ServerContext): Promise<CallToolResult> {
  const tool = served.tools.get(params.name);
  if (tool === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${params.name}`);
  return RequestContext.run(mcpReq, async (context) => {
    try {
      return render(tool, await invoke(served.server, tool, { arguments: params.arguments }, context));
    } catch (error) {
      return failedTool(error, tool, mcpReq.signal.aborted ? () => undefined : served.onError);
    }
  });
}

function render(tool: CompiledTool, returned: unknown): CallToolResult {
  if (Result.is(returned)) return renderResult(tool, returned);
  if (typeof returned === 'string') return { content: [{ type: 'text', text: returned }] };
  if (returned === undefined || returned === null) return { content: [] };
  if (typeof returned !== 'object') return { content: [{ type: 'text', text: JSON.stringify(returned) }] };
  if (tool.output !== undefined) return renderOutput(tool.output, returned);
  return isFullResult(returned) ? returned : { content: [{ type: 'text', text: JSON.stringify(returned) }] };
}

// Asked before whether it is a full result: an output class may have a property named `content` of its own.
function renderOutput(output: ClassSchema, returned: object): CallToolResult {
  const structuredContent = output.project(returned);
  return { structuredContent, content: [{ type: 'text', text: JSON.stringify(structuredContent) }] };
}

function renderResult({ output }: CompiledTool, { texts, structured, facts }: Result): CallToolResult {
  return {
    content: texts.map((text) => ({ type: 'text', text })),
    ...(structured !== undefined && output !== undefined && { structuredContent: output.project(structured) }),
    ...(facts !== undefined && { _meta: { ...facts } }),
  };
}

function isFullResult(returned: object): returned is CallToolResult {
  return 'content' in returned && Array.isArray(returned.content) && returned.content.every(isContentBlock);
}

function isContentBlock(block: unknown): boolean {
  return typeof block === 'object' && block !== null && 'type' in block && typeof block.type === 'string';
}
