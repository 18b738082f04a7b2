import {
  ProtocolError,
  ProtocolErrorCode,
  type CallToolRequest,
  type CallToolResult,
  type InputRequiredResult,
  type ServerContext,
} from '@modelcontextprotocol/server';

import type { CompiledTool } from '../../compile/compiled-server.ts';
import { Result } from '../../results/result.ts';
import { describeIssues } from '../../schema/issues.ts';
import { projectWithSchema } from '../../schema/standard-schema.ts';
import { shorten } from '../../text/shorten.ts';
import { ToolError } from '../../results/tool-error.ts';
import { getCaller, identifyCaller, sendsStructure, showsApps } from '../client/client.ts';
import { getReporter } from '../hooks/hooks.ts';
import { isContentBlock } from '../validation/content.ts';
import { asJson, toJson } from '../validation/json.ts';
import { FairSemaphore } from '../limits/fair-semaphore.ts';
import { RateLimiter } from '../limits/rate-limiter.ts';
import { toFailedResult } from './failure.ts';
import { invoke } from './invoke.ts';
import { isPermitted } from './scopes.ts';
import { serveCall } from './serve-call.ts';
import type { ServerConnection } from './server-runtime.ts';
import { withoutStructuredContent } from './structured.ts';

/** Calls a tool. An error of the tool becomes its result. @throws ProtocolError −32602 if the tool is unknown */
export function callTool(
  connection: ServerConnection,
  { params }: CallToolRequest,
  request: ServerContext,
): Promise<CallToolResult | InputRequiredResult> {
  const { runtime } = connection;
  const tool = runtime.tools.find(params.name);
  if (tool === undefined || !runtime.tools.isServed(tool, showsApps(connection, request)))
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${shorten(params.name)}`);
  const limiter = CallLimiter.of(runtime.server, tool);
  // On 2026-07-28, a request with a single-use state continues a call that the rate limit has already counted. A session ignores
  // the state without verifying it, so a state must not exempt its request from the rate limit.
  let isCounted = connection.era === 'modern' && request.mcpReq.requestState() !== undefined;
  return serveCall(connection, request, {
    method: 'tools/call',
    name: params.name,
    observed: { kind: 'tool', name: params.name },
    arguments: params.arguments,
    timeoutMs: tool.limits.timeoutMs,
    isRateLimited: tool.limits.rateLimit !== undefined,
    run(context) {
      if (!isCounted) limiter?.countCall(identifyCaller(connection, request).key);
      isCounted = true;
      const call = async (): Promise<CallToolResult> => {
        const given = { kind: 'tool', arguments: params.arguments, quotedJson: true } as const;
        const returned = await invoke(runtime, tool, given, context);
        const isStructureSent = context.structureWanted;
        const result = render(tool, returned, isStructureSent);
        const sent = isStructureSent ? result : withoutStructuredContent(result);
        if (tool.app?.resourceUri === undefined || !context.viewsShown) return sent;
        return addViewData(sent, await collectViewData(tool, returned, sent), listCallable(tool, connection, request));
      };
      return limiter === undefined ? call() : limiter.run(call, context.signal);
    },
    fail(error) {
      const report = getReporter(runtime.onError, request.mcpReq.signal);
      return toFailedResult(error, tool, { report, sendsData: sendsStructure(runtime.structured, connection, request) });
    },
  });
}

function render(tool: CompiledTool, returned: unknown, isStructureSent: boolean): CallToolResult {
  if (Result.is(returned)) return renderResult(tool, returned, isStructureSent);
  if (tool.definition.outputSchema !== undefined) return renderOutput(tool, returned);
  if (returned === undefined || returned === null) return { content: [] };
  const content = toContent(returned);
  if (content !== undefined) return asJson({ content });
  if (isFullResult(returned)) {
    if (!returned.content.every(isContentBlock)) throw new TypeError(`${tool.place} returned content with an invalid block`);
    return asJson(returned);
  }
  return { content: [{ type: 'text', text: typeof returned === 'string' ? returned : toJson(returned) }] };
}

/** Returns a single block or a non-empty array of blocks as content. Returns `undefined` for any other value. */
function toContent(returned: unknown): CallToolResult['content'] | undefined {
  if (isContentBlock(returned)) return [returned];
  if (!Array.isArray(returned) || returned.length === 0) return undefined;
  const blocks = returned.filter(isContentBlock);
  return blocks.length === returned.length ? blocks : undefined;
}

// Must run before the check for a full result, because an output class may have a property named `content`.
function renderOutput(tool: CompiledTool, returned: unknown): CallToolResult {
  if (typeof returned !== 'object' || returned === null) throw missingStructure(tool.place);
  const structuredContent = project(tool, returned);
  return { structuredContent, content: [{ type: 'text', text: toJson(structuredContent) }] };
}

// `links` has a default value, because a `Result` of an older copy of this package has no property `links`.
function renderResult(
  tool: CompiledTool,
  { texts, structured, facts, links = [] }: Result,
  isStructureSent: boolean,
): CallToolResult {
  if (tool.definition.outputSchema !== undefined && structured === undefined) throw missingStructure(tool.place);
  // The structure is checked even if it is not sent, so that a mistake of the server appears with every host.
  const checked = structured && project(tool, structured);
  const isSent = isStructureSent || texts.length === 0;
  return {
    content: [
      ...texts.map((text) => ({ type: 'text' as const, text })),
      ...links.map((link) => ({ type: 'resource_link' as const, ...link })),
    ],
    ...(isSent && checked !== undefined && { structuredContent: asJson(checked) }),
    ...(facts !== undefined && { _meta: asJson({ ...facts }) }),
  };
}

/** Adds the data for the view of the tool, which clients keep from the model, and the tools that the view can call. */
function addViewData(result: CallToolResult, data: object, tools: readonly string[]): CallToolResult {
  return { ...result, _meta: { ...result._meta, view: asJson({ ...data, tools }) } };
}

/** Returns the data for the view. It includes the structured content if the client gets only the text. */
async function collectViewData(tool: CompiledTool, returned: unknown, sent: CallToolResult): Promise<object> {
  if (!Result.is(returned)) return {};
  const { structured, forView } = returned;
  const isMissing = structured !== undefined && sent.structuredContent === undefined;
  return { ...(isMissing && { structured: project(tool, structured) }), ...(await forView?.()) };
}

/** Lists the tools among the calls of the tool's view that the client has. */
function listCallable({ app }: CompiledTool, { runtime }: ServerConnection, request: ServerContext): readonly string[] {
  const calls = runtime.compiled.resources.get(app?.resourceUri ?? '')?.calls ?? [];
  return calls.filter((name) => {
    const tool = runtime.tools.find(name);
    return tool !== undefined && runtime.tools.isServed(tool, true) && isPermitted(tool, request);
  });
}

/** Copies structured content for the client. @throws TypeError if the tool has an output class and the content breaks its rules */
function project({ definition, output }: CompiledTool, structured: object): Record<string, unknown> {
  if (output === undefined) return { ...structured };
  const { value, issues } =
    output.kind === 'class' ? output.schema.project(structured) : projectWithSchema(output.standard, structured);
  if (issues === undefined) return value;
  throw new TypeError(
    `the result of the tool "${definition.name}" breaks its output ${output.kind === 'class' ? 'class' : 'schema'}\n${describeIssues(issues)}`,
  );
}

/** Creates the error for a result without the structured content that the tool promises: clients would reject the result. */
function missingStructure(place: string): TypeError {
  return new TypeError(`${place} has an output schema but did not return an object`);
}

function isFullResult(returned: unknown): returned is CallToolResult {
  if (typeof returned !== 'object' || returned === null || !('content' in returned)) return false;
  return Array.isArray(returned.content) && returned.content.every(isTyped);
}

function isTyped(block: unknown): boolean {
  return typeof block === 'object' && block !== null && 'type' in block && typeof block.type === 'string';
}

/** Limiters by server object, because a limit applies to the process and not to each connection. */
const limiters = new WeakMap<object, Map<string, CallLimiter>>();

/** Rate limit and concurrency limit of one tool. */
class CallLimiter {
  readonly #toolName: string;
  readonly #rate: RateLimiter | undefined;
  readonly #slots: FairSemaphore | undefined;

  private constructor({ definition: { name }, limits: { maxConcurrent, rateLimit } }: CompiledTool) {
    this.#toolName = name;
    this.#rate = rateLimit && new RateLimiter(rateLimit);
    this.#slots = maxConcurrent === undefined ? undefined : this.#createSemaphore(maxConcurrent);
  }

  /** Returns the limiter of a tool, or `undefined` if the tool has no limit. */
  static of(server: object, tool: CompiledTool): CallLimiter | undefined {
    const { maxConcurrent, rateLimit } = tool.limits;
    if (maxConcurrent === undefined && rateLimit === undefined) return undefined;
    const own = limiters.get(server) ?? new Map<string, CallLimiter>();
    limiters.set(server, own);
    const gate = own.get(tool.definition.name) ?? new CallLimiter(tool);
    own.set(tool.definition.name, gate);
    return gate;
  }

  /** Counts a call against the rate limit of its caller. @throws ToolError RATE_LIMITED if the limit is exceeded */
  countCall(caller: string): void {
    this.#rate?.countCall(caller, this.#toolName);
  }

  /**
   * Runs the work as soon as a slot is free.
   *
   * @throws ToolError OVERLOADED if too many calls of the caller wait; the signal's reason if it is aborted during the wait
   */
  run<Outcome>(work: () => Promise<Outcome>, signal: AbortSignal): Promise<Outcome> {
    return this.#slots === undefined ? work() : this.#slots.run(work, getCaller(signal), { signal });
  }

  #createSemaphore(slots: number): FairSemaphore {
    const overloaded = (): ToolError =>
      new ToolError(
        'OVERLOADED',
        `the maximum number of concurrent calls of ${this.#toolName} is ${slots}, and ${MAX_WAITING} calls of this client are waiting`,
        {
          hint: 'try again later',
        },
      );
    return new FairSemaphore({ slots, maxWaiting: MAX_WAITING, refusal: overloaded });
  }
}

/** Maximum number of calls of one caller that wait for a slot. */
const MAX_WAITING = 100;
