import {
  inputRequired,
  ProtocolError,
  type InputRequiredResult,
  type ServerContext,
  TRACEPARENT_META_KEY,
} from '@modelcontextprotocol/server';
import type { Attributes } from '@opentelemetry/api';

import { ToolError } from '../../results/tool-error.ts';
import { getSealOwner } from '../client/client.ts';
import { Progress } from '../context/progress.ts';
import { isCancelled } from './direct-request.ts';
import { createContext, type ContextParts, type RequestContext } from '../context/request-context.ts';
import type { ObservedCall } from '../hooks/hooks.ts';
import { NO_STATE, fingerprintCall, resumeCall, type CallIdentity } from '../input-requests/call-state.ts';
import { InputRequests } from '../input-requests/input-requests.ts';
import { requestFromSession } from '../input-requests/session-client.ts';
import { Deadline } from '../limits/deadline.ts';
import { addMissingTools } from '../lists/missing-tools.ts';
import { createSingleUse } from '../seals/spent-seals.ts';
import { assertScopes } from './scopes.ts';
import type { ServerConnection } from './server-runtime.ts';

/** One call of a tool, prompt, resource or completion. */
export interface ServedCall<Outcome> extends CallIdentity {
  readonly observed: ObservedCall;
  /** Time limit of this call in milliseconds. Default: the limit of the server. */
  readonly timeoutMs?: number | undefined;
  /** Whether the rate limit counts the call. If so, later rounds always carry a state, which distinguishes them from new calls. */
  readonly isRateLimited?: boolean;
  run(context: RequestContext): Promise<Outcome>;
  /** Returns the result of a failed call, or throws the error that is sent to the client. */
  fail(error: unknown): Outcome;
}

/**
 * Runs a call: its method, its time limit and its input requests to the client.
 *
 * If the method requests input from the client, it is suspended, and whatever it returns or throws afterwards is ignored. In a
 * session the server sends the requests and runs the method again. On 2026-07-28 the requests are the result, and the client
 * calls again. Each run of the method is one round of the call.
 */
export function serveCall<Outcome>(
  connection: ServerConnection,
  request: ServerContext,
  call: ServedCall<Outcome>,
): Promise<Outcome | InputRequiredResult> {
  return traceCall(request, call, () => serve(connection, request, call));
}

// Every call runs this function: each `await` and each `using` costs measurable time here.
async function serve<Outcome>(
  connection: ServerConnection,
  request: ServerContext,
  call: ServedCall<Outcome>,
): Promise<Outcome | InputRequiredResult> {
  assertScopes(connection.runtime, { method: call.method, params: { name: call.name } }, request);
  const deadline = createDeadline(connection, request, call);
  const progress = new Progress(request.mcpReq);
  const { knownRoots } = connection;
  const end = connection.runtime.observer?.(call.observed);
  // This is the outcome if the code below throws before the first round: the client's state was then invalid.
  let outcome = PROTOCOL_ERROR;
  try {
    const first = isFirstRound(connection, request, call)
      ? createInputRequests(connection, request, call)
      : await resume(connection, request, call);
    if (first instanceof RefusedState) {
      outcome = describeError(call.observed, first.reason);
      return call.fail(first.reason);
    }
    let inputRequests = first;
    for (;;) {
      const parts = { connection, request, name: call.name, progress, inputRequests, deadline, knownRoots };
      const round = await runRound(call, parts);
      outcome = round.outcome;
      if (round.suspended === undefined) return round.settle();
      if (connection.era === 'modern') return await requestByResult(connection, request, call, round.suspended);
      inputRequests = await requestInSession(round.suspended, request, deadline);
    }
  } finally {
    end?.(isCancelled(request.mcpReq) ? 'cancelled' : outcome);
    progress.end();
    deadline?.[Symbol.dispose]();
  }
}

/** The end of a round: pending input requests, or a function that returns the result or throws the error. */
type Round<Outcome> = { readonly outcome: string } & (
  | { readonly suspended: InputRequests }
  | { readonly suspended?: undefined; readonly settle: () => Outcome }
);

async function runRound<Outcome>(
  call: ServedCall<Outcome>,
  parts: ContextParts & { readonly connection: ServerConnection },
): Promise<Round<Outcome>> {
  const { connection, deadline, inputRequests } = parts;
  try {
    const running = call.run(createContext(parts));
    const result = await (deadline === undefined ? running : deadline.race(running));
    if (inputRequests?.suspension !== undefined) return { suspended: inputRequests, outcome: ASKED };
    requireAwaited(inputRequests);
    return { settle: () => result, outcome: describeResult(result) };
  } catch (error) {
    // After the deadline, do not ask the client on behalf of a method that ignored its suspension.
    const isOver = inputRequests?.suspension === undefined || deadline?.signal.aborted === true;
    return isOver
      ? {
          settle: () => call.fail(addMissingTools(error, connection.runtime.tools)),
          outcome: describeError(call.observed, error),
        }
      : { suspended: inputRequests, outcome: ASKED };
  }
}

/** Whether a request begins a call. In a session, every request does, because one request runs all rounds of its call. */
function isFirstRound({ era }: ServerConnection, { mcpReq }: ServerContext, { method }: CallIdentity): boolean {
  return era === 'legacy' || method === 'completion/complete' || mcpReq.requestState() === undefined;
}

/** Creates the input requests of a first round; `undefined` for a completion on 2026-07-28, which cannot request input. */
function createInputRequests(
  { era }: ServerConnection,
  { mcpReq }: ServerContext,
  { method }: CallIdentity,
): InputRequests | undefined {
  if (era === 'legacy') return new InputRequests(NO_STATE);
  return method === 'completion/complete' ? undefined : new InputRequests(NO_STATE, mcpReq.inputResponses);
}

/** Reason why a call is not run again: its state was used before or was created by another process. */
class RefusedState {
  readonly reason: unknown;

  constructor(reason: unknown) {
    this.reason = reason;
  }
}

/** Creates the input requests of a later round. @throws ProtocolError if the state belongs to another call */
async function resume(
  { runtime: { spent } }: ServerConnection,
  request: ServerContext,
  call: CallIdentity,
): Promise<InputRequests | RefusedState> {
  const { requestState, inputResponses } = request.mcpReq;
  try {
    return new InputRequests(await resumeCall(requestState(), call, { spent, owner: getSealOwner(request) }), inputResponses);
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    return new RefusedState(error);
  }
}

async function requestInSession(
  { pending, state }: InputRequests,
  { mcpReq }: ServerContext,
  deadline: Deadline | undefined,
): Promise<InputRequests> {
  const responses = requestFromSession(pending, mcpReq);
  return new InputRequests(state, await (deadline === undefined ? responses : deadline.pauseFor(responses)));
}

/** Rejects a result that the method computed without the answer that it requested. */
function requireAwaited(inputRequests: InputRequests | undefined): void {
  const key = inputRequests?.pendingKey;
  if (key !== undefined) throw new TypeError(`the method returned before the answer to "${key}" arrived; await the answer`);
}

async function requestByResult(
  { runtime }: ServerConnection,
  request: ServerContext,
  call: ServedCall<unknown>,
  { pending, state }: InputRequests,
): Promise<InputRequiredResult> {
  const inputRequests = Object.fromEntries([...pending].map(([key, question]) => [key, question.request]));
  // A request for roots alone needs no state, because every call requests the roots again.
  const needsState =
    call.isRateLimited === true ||
    Object.keys(state.answers).length > 0 ||
    Object.values(inputRequests).some(({ method }) => method !== 'roots/list');
  if (!needsState) return inputRequired({ inputRequests });
  const sealed = { ...state, call: fingerprintCall(call), ...createSingleUse(runtime.spent) };
  return inputRequired({ inputRequests, requestState: await runtime.sealing.states.mint(sealed, request) });
}

function createDeadline(
  { runtime }: ServerConnection,
  { mcpReq }: ServerContext,
  call: ServedCall<unknown>,
): Deadline | undefined {
  const { name, timeoutMs = runtime.timeoutMs } = call;
  return timeoutMs === undefined ? undefined : new Deadline(mcpReq.signal, timeoutMs, name);
}

/** Outcome of a call that waits for input from the client. */
const ASKED = 'asked';
/** Outcome of a call that was answered with a protocol error. */
const PROTOCOL_ERROR = 'PROTOCOL_ERROR';

/**
 * Returns the outcome of a call that threw. A `ProtocolError` counts as internal for a tool, whose result reports an internal
 * error.
 */
function describeError({ kind }: ObservedCall, error: unknown): string {
  if (ToolError.is(error)) return error.code;
  return error instanceof ProtocolError && kind !== 'tool' ? PROTOCOL_ERROR : 'INTERNAL';
}

/** Returns the outcome of a call that returned a result. */
function describeResult(result: unknown): string {
  return isToolFailure(result) ? 'TOOL_ERROR' : 'ok';
}

/** Whether a tool marked its result as an error. */
function isToolFailure(result: unknown): boolean {
  return typeof result === 'object' && result !== null && 'isError' in result && result.isError === true;
}

type OpenTelemetry = typeof import('@opentelemetry/api');

/** OpenTelemetry, loaded with the first request that belongs to a trace. */
let loading: Promise<OpenTelemetry | undefined> | undefined;

/** Runs a call as a span of the client's trace, if its `_meta` has a `traceparent` and `@opentelemetry/api` is installed. */
function traceCall<Outcome>(request: ServerContext, call: CallIdentity, run: () => Promise<Outcome>): Promise<Outcome> {
  return typeof request.mcpReq._meta?.[TRACEPARENT_META_KEY] === 'string' ? inSpan(request, call, run) : run();
}

async function inSpan<Outcome>(request: ServerContext, call: CallIdentity, run: () => Promise<Outcome>): Promise<Outcome> {
  const telemetry = await (loading ??= import('@opentelemetry/api').catch(() => undefined));
  if (telemetry === undefined) return run();
  const { context, propagation, SpanKind, SpanStatusCode, trace } = telemetry;
  const options = { kind: SpanKind.SERVER, attributes: createAttributes(request, call) };
  const parent = propagation.extract(context.active(), request.mcpReq._meta);
  return trace.getTracer('@org/mcp-decorators').startActiveSpan(nameSpan(call), options, parent, async (span) => {
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

/** Returns the name of a span. The name must have few possible values, so it does not contain the URI of a resource. */
function nameSpan({ method, name }: CallIdentity): string {
  return method === 'resources/read' ? method : `${method} ${name}`;
}

/** Returns the attributes of a span. Their names follow OpenTelemetry's conventions for MCP. */
function createAttributes({ mcpReq, sessionId }: ServerContext, { method, name }: CallIdentity): Attributes {
  const named = { 'tools/call': 'gen_ai.tool.name', 'prompts/get': 'gen_ai.prompt.name' }[method] ?? 'mcp.resource.uri';
  return {
    'mcp.method.name': method,
    [named]: name,
    'jsonrpc.request.id': String(mcpReq.id),
    ...(sessionId !== undefined && { 'mcp.session.id': sessionId }),
  };
}
