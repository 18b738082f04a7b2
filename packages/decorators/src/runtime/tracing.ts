import { TRACEPARENT_META_KEY, type ServerContext } from '@modelcontextprotocol/server';
import type { Attributes } from '@opentelemetry/api';

import { isToolFailure } from './observer.ts';
import type { CallIdentity } from './questions/call-state.ts';

type OpenTelemetry = typeof import('@opentelemetry/api');

/** Loaded with the first request that is part of a trace. */
let loading: Promise<OpenTelemetry | undefined> | undefined;

/** Runs a call as a span of the client's trace, if its `_meta` has a `traceparent` and `@opentelemetry/api` is installed. */
export function traced<Outcome>(request: ServerContext, call: CallIdentity, run: () => Promise<Outcome>): Promise<Outcome> {
  return typeof request.mcpReq._meta?.[TRACEPARENT_META_KEY] === 'string' ? inSpan(request, call, run) : run();
}

async function inSpan<Outcome>(request: ServerContext, call: CallIdentity, run: () => Promise<Outcome>): Promise<Outcome> {
  const telemetry = await (loading ??= import('@opentelemetry/api').catch(() => undefined));
  if (telemetry === undefined) return run();
  const { context, propagation, SpanKind, SpanStatusCode, trace } = telemetry;
  const options = { kind: SpanKind.SERVER, attributes: attributesOf(request, call) };
  const parent = propagation.extract(context.active(), request.mcpReq._meta);
  return trace.getTracer('@org/mcp-decorators').startActiveSpan(nameOf(call), options, parent, async (span) => {
    const fail = (type: string): void => void span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', type);
    try {
      const outcome = await run();
      if (isToolFailure(outcome)) fail('tool_error');
      return outcome;
    } catch (error) {
      fail(error instanceof Error ? error.name : 'error');
      throw error;
    } finally {
      span.end();
    }
  });
}

/** URIs are too many to be part of a span's name. */
function nameOf({ method, name }: CallIdentity): string {
  return method === 'resources/read' ? method : `${method} ${name}`;
}

/** Named as OpenTelemetry's conventions for MCP do. */
function attributesOf({ mcpReq, sessionId }: ServerContext, { method, name }: CallIdentity): Attributes {
  const named = { 'tools/call': 'gen_ai.tool.name', 'prompts/get': 'gen_ai.prompt.name' }[method] ?? 'mcp.resource.uri';
  return {
    'mcp.method.name': method,
    [named]: name,
    'jsonrpc.request.id': String(mcpReq.id),
    ...(sessionId !== undefined && { 'mcp.session.id': sessionId }),
  };
}
