import { nearest, type CompiledServer, type ToolDefinition } from '@org/mcp-decorators';

import type { ServerObject } from './server-object.ts';
import type { ServerOptions } from './server-options.ts';
import { toolSetsOf } from './tool-sets.ts';
import { UsageError } from './usage-error.ts';

type ToolChoice = Pick<ServerOptions, 'readOnly' | 'tools' | 'disableTools'>;

/** Which tools this process offers. Throws a {@link UsageError} for a name that no tool and no set of tools has. */
export function offersOf(
  compiled: CompiledServer,
  { readOnly, tools = ['default'], disableTools = [] }: ToolChoice,
  server: Pick<ServerObject, 'offers'> = {},
): (tool: ToolDefinition) => boolean {
  const offered = named(compiled, tools);
  for (const name of named(compiled, disableTools)) offered.delete(name);
  for (const [name, { definition, scopes }] of compiled.tools) {
    const isReading = definition.annotations?.readOnlyHint === true && !scopes.includes('write');
    if (readOnly && !isReading) offered.delete(name);
  }
  return (tool) => offered.has(tool.name) && (server.offers?.(tool) ?? true);
}

function named(compiled: CompiledServer, names: readonly string[]): Set<string> {
  const sets = toolSetsOf(compiled);
  return new Set(
    names.flatMap((name) => {
      const members = sets.get(name) ?? (compiled.tools.has(name) ? [name] : undefined);
      if (members !== undefined) return members;
      const near = nearest(name, [...compiled.tools.keys(), ...sets.keys()]);
      throw new UsageError(`there is no tool "${name}"${near === undefined ? '' : `; did you mean "${near}"?`}`);
    }),
  );
}
