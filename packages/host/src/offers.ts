import { nearest, type CompiledServer, type ToolDefinition } from '@org/mcp-decorators';

import type { ServerOptions } from './server-options.ts';
import { UsageError } from './usage-error.ts';

type ToolChoice = Pick<ServerOptions, 'readOnly' | 'tools' | 'disableTools'>;

/** Which tools this process offers. Throws a {@link UsageError} for a name that no tool has. */
export function offersOf(
  { tools: known }: CompiledServer,
  { readOnly, tools, disableTools = [] }: ToolChoice,
): (tool: ToolDefinition) => boolean {
  for (const name of [...(tools ?? []), ...disableTools]) {
    if (known.has(name)) continue;
    const near = nearest(name, known.keys());
    throw new UsageError(`there is no tool "${name}"${near === undefined ? '' : `; did you mean "${near}"?`}`);
  }
  return ({ name, annotations }) =>
    (tools === undefined || tools.includes(name)) &&
    !disableTools.includes(name) &&
    !(readOnly && annotations?.readOnlyHint !== true);
}
