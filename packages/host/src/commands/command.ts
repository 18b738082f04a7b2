import type { CompiledServer, ToolDefinition } from '@org/mcp-decorators';

import type { Log } from '../log.ts';
import type { ServerObject } from '../server-object.ts';

/** What a subcommand works with. */
export interface CommandContext {
  readonly compiled: CompiledServer;
  readonly offers: (tool: ToolDefinition) => boolean;
  readonly log: Log;
  /** Makes the server object; it is not opened yet. */
  readonly create: () => ServerObject;
  readonly print: (text: string) => void;
}

/** A subcommand; resolves to the exit code. */
export interface Command {
  readonly summary: string;
  readonly run: (context: CommandContext) => Promise<number>;
}
