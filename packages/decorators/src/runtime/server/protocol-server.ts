import { randomUUID } from 'node:crypto';

import {
  McpServer,
  Server,
  type BaseContext,
  type Implementation,
  type JSONRPCRequest,
  type MessageExtraInfo,
  type ProtocolEra,
  type Result,
  type ServerContext,
  type ServerOptions,
} from '@modelcontextprotocol/server';

import type { Meta } from '../../metadata/options.ts';
import { isPlainObject } from '../../schema/json-schema.ts';
import { DirectCalls, type ContextSource } from '../calls/direct-calls.ts';
import type { ServerConnection, ServerRuntime } from '../calls/server-runtime.ts';
import { APPS_EXTENSION, showsApps } from '../client/client.ts';
import { KnownRoots } from '../input-requests/client-roots.ts';
import { handleRequests } from './handlers.ts';

type Handler = (request: JSONRPCRequest, context: ServerContext) => Promise<Result>;

/** Requests whose results describe the server. */
const DESCRIBING = new Set(['initialize', 'server/discover']);

/** The SDK's server of one connection, session or stateless request. */
export class ProtocolServer extends McpServer {
  declare readonly server: CallServer;
  /** Runs tool calls for a transport that does not pass them to the SDK. */
  readonly directCalls: DirectCalls;
  readonly #runtime: ServerRuntime;

  /** Called by the factory of `serverFactory`. */
  constructor(runtime: ServerRuntime, era: ProtocolEra, options: ServerOptions) {
    super(runtime.compiled.info, options);
    const { info, meta, resources } = runtime.compiled;
    const hasViews = [...resources.values()].some(({ isApp }) => isApp);
    const server = new CallServer(info, { era, meta, hasViews }, options);
    const connection = createConnection(runtime, era, server);
    this.server = server;
    this.directCalls = new DirectCalls(connection, server);
    this.#runtime = runtime;
    handleRequests(connection);
  }

  /** Returns the schema by which the SDK compares `Mcp-Param-*` headers with the arguments of a call over HTTP (2026-07-28). */
  override toolInputSchemaJson(name: string): Record<string, unknown> | undefined {
    const schema = this.#runtime.tools.find(name)?.definition.inputSchema;
    return schema && { ...schema };
  }
}

/** The revision without sessions. */
const MODERN_REVISION = '2026-07-28';

interface Described {
  readonly era: ProtocolEra;
  readonly meta: Meta | undefined;
  readonly hasViews: boolean;
}

/**
 * Creates contexts for calls that do not pass through the SDK, and adds `_meta`, and MCP Apps if the client has them, to the SDK's results
 * that describe the server.
 */
class CallServer extends Server implements ContextSource {
  readonly #described: Described;

  constructor(info: Implementation, described: Described, options: ServerOptions) {
    super(info, options);
    this.#described = described;
    const { era } = described;
    // The SDK sets the revision only when it serves the instance. Over HTTP, direct calls run without that, so the revision is
    // set here.
    if (era === 'modern') this._negotiatedProtocolVersion = MODERN_REVISION;
  }

  get info(): Implementation | undefined {
    return this._outboundServerInfo();
  }

  createContext(context: BaseContext, extra: MessageExtraInfo | undefined): ServerContext {
    return this.buildContext(context, extra);
  }

  protected override _wrapHandler(method: string, handler: Handler): Handler {
    const wrapped = super._wrapHandler(method, handler);
    if (!DESCRIBING.has(method)) return wrapped;
    return async (request, context) => {
      const { era, meta, hasViews } = this.#described;
      const result = await wrapped(request, context);
      const described = meta === undefined ? result : { ...result, _meta: { ...result._meta, ...meta } };
      return hasViews && showsApps({ sdkServer: this, era, id: '' }, context) ? declareApps(described) : described;
    };
  }
}

function declareApps(result: Result): Result {
  const capabilities = isPlainObject(result['capabilities']) ? result['capabilities'] : {};
  const extensions = isPlainObject(capabilities['extensions']) ? capabilities['extensions'] : {};
  return { ...result, capabilities: { ...capabilities, extensions: { ...extensions, [APPS_EXTENSION]: {} } } };
}

function createConnection(runtime: ServerRuntime, era: ProtocolEra, sdkServer: Server): ServerConnection {
  return { runtime, sdkServer, era, id: randomUUID(), knownRoots: new KnownRoots() };
}
