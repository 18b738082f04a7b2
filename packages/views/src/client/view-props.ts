import type { Client } from './client.ts';
import type { ToolResult } from './messages.ts';

/** Properties of a view. */
export interface ViewProps {
  readonly client: Client;
  /** Name of the called tool, if the client says it. */
  readonly tool: string | undefined;
  /** Arguments of the call. */
  readonly input: Readonly<Record<string, unknown>>;
  /** Result of the call. It is not an error, unless the view takes errors. */
  readonly result: ToolResult;
}
