import {
  McpServer,
  Server,
  type JSONRPCRequest,
  type Result,
  type ServerContext,
  type ServerOptions,
} from '@modelcontextprotocol/server';

import type { CompiledServer } from '../compile/primitives.ts';
import type { Meta } from '../metadata/options.ts';
import { offeredTool, type Served } from './served.ts';

type Handler = (request: JSONRPCRequest, context: ServerContext) => Promise<Result>;

/** The requests whose results describe the server. */
const DESCRIBING = new Set(['initialize', 'server/discover']);

/** A protocol instance that tells the SDK of the tools, for what the SDK does before it calls a handler. */
export class ProtocolServer extends McpServer {
  declare readonly server: Server;
  readonly #served: Served;

  constructor(served: Served, options: ServerOptions) {
    super(served.compiled.info, options);
    const { info, meta } = served.compiled;
    if (meta !== undefined) this.server = new DescribedServer({ info, meta }, options);
    this.#served = served;
  }

  /** Over HTTP, `Mcp-Param-*` headers are compared with the arguments by this schema (2026-07-28). */
  override toolInputSchemaJson(name: string): Record<string, unknown> | undefined {
    const schema = offeredTool(this.#served, name)?.definition.inputSchema;
    return schema && { ...schema };
  }
}

/** Adds `_meta` to what the SDK answers about the server; the SDK has no option for it. */
class DescribedServer extends Server {
  readonly #meta: Meta;

  constructor({ info, meta }: Pick<CompiledServer, 'info'> & { readonly meta: Meta }, options: ServerOptions) {
    super(info, options);
    this.#meta = meta;
  }

  protected override _wrapHandler(method: string, handler: Handler): Handler {
    const wrapped = super._wrapHandler(method, handler);
    if (!DESCRIBING.has(method)) return wrapped;
    return async (request, context) => {
      const result = await wrapped(request, context);
      return { ...result, _meta: { ...result._meta, ...this.#meta } };
    };
  }
}
