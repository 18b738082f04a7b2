import type { CompiledServer, ToolDefinition } from '@org/mcp-decorators';

import type { Log } from '../log.ts';
import type { ServerObject } from '../server-object.ts';

/** The server object of this process; it is not opened yet. */
export interface Created {
  readonly server: ServerObject;
  /** What this object really serves, its features included. */
  readonly compiled: CompiledServer;
  readonly offers: (tool: ToolDefinition) => boolean;
}

/** What a subcommand works with. */
interface CommandContext {
  /** Makes the server object; throws a `UsageError` if it has not what the options name. */
  readonly create: () => Created;
  readonly log: Log;
  readonly print: (text: string) => void;
}

/** A subcommand; resolves to the exit code. */
export interface Command {
  readonly summary: string;
  readonly run: (context: CommandContext) => Promise<number>;
}
