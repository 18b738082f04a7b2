import { McpServer, type ServerOptions } from '@modelcontextprotocol/server';

import { offeredTool, type Served } from './served.ts';

/** A protocol instance that tells the SDK of the tools, for what the SDK does before it calls a handler. */
export class ProtocolServer extends McpServer {
  readonly #served: Served;

  constructor(served: Served, options: ServerOptions) {
    super(served.compiled.info, options);
    this.#served = served;
  }

  /** Over HTTP, `Mcp-Param-*` headers are compared with the arguments by this schema (2026-07-28). */
  override toolInputSchemaJson(name: string): Record<string, unknown> | undefined {
    const schema = offeredTool(this.#served, name)?.definition.inputSchema;
    return schema && { ...schema };
  }
}
