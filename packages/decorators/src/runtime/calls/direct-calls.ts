import {
  SERVER_INFO_META_KEY,
  type BaseContext,
  type CallToolResult,
  type Implementation,
  type InputRequiredResult,
  type JSONRPCNotification,
  type JSONRPCRequest,
  type JSONRPCResultResponse,
  type MessageExtraInfo,
  type RequestId,
  type ServerContext,
} from '@modelcontextprotocol/server';

import type { CompiledTool } from '../../compile/compiled-server.ts';
import { isPlainObject } from '../../schema/json-schema.ts';
import { splitMeta, type AcceptedEnvelopes, type RequestMetaParts } from '../client/envelope.ts';
import { callTool } from './call-tool.ts';
import { DirectRequest } from './direct-request.ts';
import type { ServerConnection } from './server-runtime.ts';

type Outcome = CallToolResult | InputRequiredResult;

/** The stream on which a call sends its notifications. */
export interface CallChannel {
  readonly sessionId?: string | undefined;
  /** Sends a notification that belongs to the call. */
  notify(notification: JSONRPCNotification): Promise<void>;
}

/** A call that runs without the SDK. */
export interface DirectCall {
  /**
   * Resolves to the response, or to `undefined` if the call was cancelled or the SDK has to create the response. The SDK does so
   * for errors, questions to the client, and content other than text.
   */
  readonly response: Promise<JSONRPCResultResponse | undefined>;
  /** Resolves to the result of the tool. Rejects with the error that the SDK reports to the client. */
  readonly outcome: Promise<Outcome>;
  /** Aborts the call, which then gets no response. */
  cancel(reason: unknown): void;
}

/** The parts of the SDK's server that calls use. */
export interface ContextSource {
  readonly info: Implementation | undefined;
  createContext(context: BaseContext, extra: MessageExtraInfo | undefined): ServerContext;
}

/** The facts about the message with which a call arrived, and the stream of the call. */
export interface CallOrigin {
  readonly extra: MessageExtraInfo | undefined;
  readonly channel: CallChannel;
}

/**
 * Runs the tool calls of one protocol instance without the SDK, whose checks and copies take longer than most calls. Runs only
 * calls that the SDK would pass on unchanged; the SDK handles all others.
 */
export class DirectCalls {
  readonly #connection: ServerConnection;
  readonly #source: ContextSource;
  readonly #envelopes: AcceptedEnvelopes;
  readonly #send: ServerContext['mcpReq']['send'];
  readonly #settled = new Map<RequestId, Promise<Outcome>>();

  constructor(connection: ServerConnection, source: ContextSource) {
    const { sdkServer, runtime } = connection;
    this.#connection = connection;
    this.#source = source;
    this.#envelopes = runtime.envelopes;
    this.#send = sdkServer.request.bind(sdkServer);
    if (!runtime.tools.mayExist) return;
    sdkServer.setRequestHandler('tools/call', (request, context) => {
      // The SDK has checked the envelope only on 2026-07-28, so no envelope of a session is remembered.
      if (connection.era === 'modern') this.#envelopes.accept(context.mcpReq.envelope);
      return this.#takeSettled(context.mcpReq.id) ?? callTool(connection, request, context);
    });
  }

  /** Starts the call of a request. Returns `undefined` if the SDK has to handle the request. */
  begin(request: JSONRPCRequest, origin: CallOrigin): DirectCall | undefined {
    const params = readParams(request);
    const meta = params && this.#readMeta(params['_meta']);
    if (meta === undefined || !this.#isPlainTool(params?.['name'])) return undefined;
    const call = { method: 'tools/call' as const, params: { ...params, name: String(params?.['name']) } };
    const context = this.#createContext(request, meta, origin);
    const { mcpReq } = context;
    // The call starts in a microtask, so that a cancellation in the same chunk of input precedes it.
    const outcome = Promise.resolve().then(() => {
      if (mcpReq.isAborted) mcpReq.signal.throwIfAborted();
      return callTool(this.#connection, call, context);
    });
    const respond = (result: Outcome): JSONRPCResultResponse | undefined =>
      mcpReq.isAborted ? undefined : this.#createResponse(request.id, result);
    // A cancelled call has ended for its client, so `response` does not wait for the method.
    let end = (): void => undefined;
    const cancelled = new Promise<undefined>((resolve) => {
      end = () => resolve(undefined);
    });
    return {
      outcome,
      response: Promise.race([cancelled, outcome.then(respond, () => undefined)]),
      cancel: (reason) => {
        mcpReq.abort(reason);
        end();
      },
    };
  }

  /** Gives the outcome of a call to the SDK, which handles the request with this id next. */
  settle(id: RequestId, { outcome }: DirectCall): void {
    this.#settled.set(id, outcome);
  }

  #takeSettled(id: RequestId): Promise<Outcome> | undefined {
    const outcome = this.#settled.get(id);
    if (outcome !== undefined) this.#settled.delete(id);
    return outcome;
  }

  /** Returns the parts of the metadata of a request, or `undefined` if the SDK has to check them. */
  #readMeta(given: unknown): RequestMetaParts | undefined {
    const { era, sdkServer } = this.#connection;
    const parts = splitMeta(given);
    if (parts === undefined) return undefined;
    if (era === 'modern') return this.#envelopes.has(parts.envelope) ? parts : undefined;
    return parts.envelope === undefined && sdkServer.getNegotiatedProtocolVersion() !== undefined ? parts : undefined;
  }

  #isPlainTool(name: unknown): boolean {
    const tool = typeof name === 'string' ? this.#connection.runtime.compiled.tools.get(name) : undefined;
    return tool !== undefined && !hasHeaderParameters(tool);
  }

  #createContext(request: JSONRPCRequest, parts: RequestMetaParts, { extra, channel }: CallOrigin): DirectContext {
    const mcpReq = new DirectRequest(request, parts, {
      send: this.#send,
      notify: (notification) => channel.notify(notification),
      complete: (completed) => this.#source.createContext({ ...context, mcpReq: completed }, extra).mcpReq,
    });
    const context: DirectContext = { mcpReq };
    if (channel.sessionId !== undefined) context.sessionId = channel.sessionId;
    const http = readHttp(extra);
    if (http !== undefined) context.http = http;
    return context;
  }

  #createResponse(id: RequestId, outcome: Outcome): JSONRPCResultResponse | undefined {
    if (!isPlainResult(outcome)) return undefined;
    const info = this.#connection.era === 'legacy' ? undefined : this.#source.info;
    if (info === undefined) return { jsonrpc: '2.0', id, result: outcome };
    const _meta = { ...outcome._meta, [SERVER_INFO_META_KEY]: outcome._meta?.[SERVER_INFO_META_KEY] ?? info };
    return { jsonrpc: '2.0', id, result: { ...outcome, resultType: 'complete', _meta } };
  }
}

interface DirectContext extends ServerContext {
  mcpReq: DirectRequest;
}

/**
 * Returns the access token of a call, and the function that closes its HTTP stream. Returns `undefined` for a call with neither.
 */
function readHttp({ authInfo, closeSSEStream }: MessageExtraInfo = {}): ServerContext['http'] | undefined {
  if (authInfo === undefined && closeSSEStream === undefined) return undefined;
  return { ...(authInfo && { authInfo }), ...(closeSSEStream && { closeSSE: closeSSEStream }) };
}

/** Number of members of a request with parameters. */
const REQUEST_MEMBERS = 4;
const CALL_PARAMS: ReadonlySet<string> = new Set(['name', 'arguments', '_meta']);

/** Returns the parameters of a tool call without any unusual member; `undefined` for all other requests. */
function readParams(request: JSONRPCRequest): Readonly<Record<string, unknown>> | undefined {
  const { jsonrpc, id, method, params } = request;
  if (method !== 'tools/call' || jsonrpc !== '2.0' || Object.keys(request).length !== REQUEST_MEMBERS) return undefined;
  return (typeof id === 'string' || Number.isSafeInteger(id)) && isPlainParams(params) ? params : undefined;
}

function isPlainParams(params: unknown): params is Readonly<Record<string, unknown>> {
  if (!isPlainObject(params) || !Object.keys(params).every((name) => CALL_PARAMS.has(name))) return false;
  const given = params['arguments'];
  return given === undefined || (isPlainObject(given) && !Object.hasOwn(given, '__proto__'));
}

const RESULT_MEMBERS: ReadonlySet<string> = new Set(['content', 'structuredContent', 'isError', '_meta']);

/**
 * Whether the content of a result is only text, with or without structured content, so that the SDK would send the result
 * unchanged.
 */
function isPlainResult(outcome: Outcome): outcome is CallToolResult {
  const { content, structuredContent, _meta } = outcome;
  if (!Object.keys(outcome).every((name) => RESULT_MEMBERS.has(name)) || !Array.isArray(content)) return false;
  if (structuredContent !== undefined && !isPlainObject(structuredContent)) return false;
  return (_meta === undefined || isPlainObject(_meta)) && content.every(isText);
}

function isText(block: unknown): boolean {
  if (!isPlainObject(block) || Object.keys(block).length !== 2) return false;
  return block['type'] === 'text' && typeof block['text'] === 'string';
}

const headerParameters = new WeakMap<CompiledTool, boolean>();

/**
 * Whether headers repeat arguments of the tool (2026-07-28). Calls of such a tool run in the SDK, which compares the headers with
 * the arguments.
 */
function hasHeaderParameters(tool: CompiledTool): boolean {
  const known = headerParameters.get(tool);
  if (known !== undefined) return known;
  const found = JSON.stringify(tool.definition.inputSchema).includes('"x-mcp-header"');
  headerParameters.set(tool, found);
  return found;
}
