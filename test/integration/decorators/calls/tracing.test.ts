import { propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor, type ReadableSpan } from '@opentelemetry/sdk-trace-node';
import { McpServer, Resource, Tool, ToolError } from '@org/mcp-decorators';
import { connect, ERAS } from '@org/mcp-testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const PARENT_ID = 'b7ad6b7169203331';
const IN_TRACE = { _meta: { traceparent: `00-${TRACE_ID}-${PARENT_ID}-01` } };

const exporter = new InMemorySpanExporter();
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });

beforeAll(() => {
  provider.register();
});

afterEach(() => {
  exporter.reset();
});

afterAll(async () => {
  await provider.shutdown();
  trace.disable();
  propagation.disable();
});

@McpServer({ name: 'traced', version: '1.0.0' })
class Traced {
  @Tool({ description: 'Work within the span' })
  work(): string {
    return trace.getTracer('test').startActiveSpan('inner', (span) => {
      span.end();
      return span.spanContext().traceId;
    });
  }

  @Tool({ description: 'Fail' })
  fail(): never {
    throw new ToolError('NOT_FOUND', 'secret');
  }

  @Resource({ uri: 'traced://x' }) x(): never {
    throw new Error('secret');
  }
}

function spans(): readonly ReadableSpan[] {
  return exporter.getFinishedSpans();
}

describe.each(ERAS)('the tracing of a call, in the %s era,', (era) => {
  it("runs the method inside a span of the client's trace", async () => {
    await using session = await connect(new Traced(), { era });
    const { content } = await session.client.callTool({ name: 'work', ...IN_TRACE });
    expect(content).toMatchObject([{ text: TRACE_ID }]);
    const [inner, outer] = spans();
    expect(outer).toMatchObject({
      name: 'tools/call work',
      kind: SpanKind.SERVER,
      attributes: { 'mcp.method.name': 'tools/call', 'gen_ai.tool.name': 'work', 'jsonrpc.request.id': expect.any(String) },
      parentSpanContext: { traceId: TRACE_ID, spanId: PARENT_ID },
    });
    expect(inner?.parentSpanContext?.spanId).toBe(outer?.spanContext().spanId);
  });

  it('marks the span of a failed call as failed, without confidential details', async () => {
    await using session = await connect(new Traced(), { era });
    await session.client.callTool({ name: 'fail', ...IN_TRACE });
    await session.client.readResource({ uri: 'traced://x', ...IN_TRACE }).catch(() => undefined);
    expect(spans()).toMatchObject([
      { name: 'tools/call fail', status: { code: SpanStatusCode.ERROR }, attributes: { 'error.type': 'tool_error' } },
      { name: 'resources/read', status: { code: SpanStatusCode.ERROR }, attributes: { 'mcp.resource.uri': 'traced://x' } },
    ]);
    expect(JSON.stringify(spans().map(({ events, attributes, status }) => [events, attributes, status]))).not.toContain('secret');
  });

  it.each([
    ['without a trace', {}],
    ['with an invalid trace parent', { _meta: { traceparent: 1 } }],
  ])('creates no span %s', async (_, meta) => {
    await using session = await connect(new Traced(), { era });
    await session.client.callTool({ name: 'work', ...meta });
    expect(spans().map(({ name }) => name)).toEqual(['inner']);
  });
});
