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
import { shorten } from '../shorten.ts';
import { callerOf } from './caller.ts';
import type { Connection } from './connection.ts';
import { asJson, isContentBlock } from './content.ts';
import { failedTool, reporterFor } from './failure.ts';
import { invoke } from './invoke.ts';
import { Gate } from './limits/gate.ts';
import { serveCall } from './serve-call.ts';
import { offeredTool } from './served.ts';
import { sendsStructure, withoutStructuredContent } from './structured.ts';

/** Calls a tool. @throws ProtocolError −32602 for an unknown one; whatever the tool throws is its result. */
export function callTool(
  connection: Connection,
  { params }: CallToolRequest,
  request: ServerContext,
): Promise<CallToolResult | InputRequiredResult> {
  const { served } = connection;
  const tool = offeredTool(served, params.name);
  if (tool === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${shorten(params.name)}`);
  const gate = Gate.of(served.server, tool);
  // A later round of 2026-07-28 presents a single-use state, and the rate limit has already counted the first round. Sessions
  // ignore such a state: there, a state of another call would bypass the rate limit.
  let admitted = connection.era === 'modern' && request.mcpReq.requestState() !== undefined;
  return serveCall(connection, request, {
    method: 'tools/call',
    name: params.name,
    observed: { kind: 'tool', name: params.name },
    arguments: params.arguments,
    timeoutMs: tool.limits.timeoutMs,
    counted: tool.limits.rateLimit !== undefined,
    run(context) {
      if (!admitted) gate?.admit(callerOf(connection, request).key);
      admitted = true;
      const call = async (): Promise<CallToolResult> => {
        const result = render(tool, await invoke(served, tool, { kind: 'tool', arguments: params.arguments }, context));
        const { structuredContent } = result;
        if (structuredContent === undefined || sendsStructure(connection, request)) return result;
        return withoutStructuredContent(result);
      };
      return gate === undefined ? call() : gate.run(call, context.signal);
    },
    fail(error) {
      const report = reporterFor(served.onError, request.mcpReq.signal);
      return failedTool(error, tool, { report, sendsData: sendsStructure(connection, request) });
    },
  });
}

function render(tool: CompiledTool, returned: unknown): CallToolResult {
  if (Result.is(returned)) return renderResult(tool, returned);
  if (tool.definition.outputSchema !== undefined) return renderOutput(tool, returned);
  if (returned === undefined || returned === null) return { content: [] };
  const content = contentOf(returned);
  if (content !== undefined) return asJson({ content });
  if (isFullResult(returned)) {
    if (!returned.content.every(isContentBlock)) throw new TypeError(`${tool.place} returned content with a block that is none`);
    return asJson(returned);
  }
  return { content: [{ type: 'text', text: typeof returned === 'string' ? returned : jsonOf(returned, tool) }] };
}

function jsonOf(returned: unknown, { place }: CompiledTool): string {
  const text: string | undefined = JSON.stringify(returned);
  if (text === undefined) throw new TypeError(`${place} returned neither content nor JSON`);
  return text;
}

/** A block, or a list of nothing but blocks. */
function contentOf(returned: unknown): CallToolResult['content'] | undefined {
  if (isContentBlock(returned)) return [returned];
  if (!Array.isArray(returned) || returned.length === 0) return undefined;
  const blocks = returned.filter(isContentBlock);
  return blocks.length === returned.length ? blocks : undefined;
}

// Asked before whether it is a full result: an output class may have a property named `content` of its own.
function renderOutput({ place, output }: CompiledTool, returned: unknown): CallToolResult {
  if (typeof returned !== 'object' || returned === null) throw withoutStructure(place);
  const structuredContent = output?.project(returned) ?? asJson({ ...returned });
  return { structuredContent, content: [{ type: 'text', text: JSON.stringify(structuredContent) }] };
}

// A result of an older copy of this package has no links.
function renderResult(
  { definition, output, place }: CompiledTool,
  { texts, structured, facts, links = [] }: Result,
): CallToolResult {
  if (definition.outputSchema !== undefined && structured === undefined) throw withoutStructure(place);
  return {
    content: [
      ...texts.map((text) => ({ type: 'text' as const, text })),
      ...links.map((link) => ({ type: 'resource_link' as const, ...link })),
    ],
    ...(structured !== undefined && { structuredContent: asJson(output?.project(structured) ?? { ...structured }) }),
    ...(facts !== undefined && { _meta: asJson({ ...facts }) }),
  };
}

/** Clients refuse such a result, so it is the server's mistake. */
function withoutStructure(place: string): TypeError {
  return new TypeError(`${place} has an output schema and returned no object of it`);
}

function isFullResult(returned: unknown): returned is CallToolResult {
  if (typeof returned !== 'object' || returned === null || !('content' in returned)) return false;
  return Array.isArray(returned.content) && returned.content.every(isTyped);
}

function isTyped(block: unknown): boolean {
  return typeof block === 'object' && block !== null && 'type' in block && typeof block.type === 'string';
}
