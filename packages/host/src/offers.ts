import { isToolLister, nearest, type CompiledServer, type CompiledTool } from '@org/mcp-decorators';

import type { ServerObject } from './server-object.ts';
import type { ServerOptions } from './server-options.ts';
import { toolSetsOf } from './tool-sets.ts';
import { UsageError } from './usage-error.ts';

type ToolChoice = Pick<ServerOptions, 'readOnly' | 'tools' | 'disableTools'>;

/**
 * Which tools this process offers. Throws a {@link UsageError} for a name that no tool and no set of tools has; where tools come
 * and go, only for one that looks like a name of what is there.
 */
export function offersOf(
  { server, compiled }: { readonly server: object; readonly compiled: CompiledServer },
  { readOnly, tools = ['default'], disableTools = [] }: ToolChoice,
): (tool: CompiledTool) => boolean {
  const known = [...compiled.tools.keys(), ...toolSetsOf(compiled).keys()];
  for (const name of [...tools, ...disableTools]) assertNamed(name, known, isToolLister(server));
  return (tool) => {
    if (!isOffered(server, tool)) return false;
    const isReading = tool.definition.annotations?.readOnlyHint === true && !tool.scopes.includes('write');
    return isAmong(tools, tool) && !isAmong(disableTools, tool) && (!readOnly || isReading);
  };
}

function assertNamed(name: string, known: readonly string[], mayCome: boolean): void {
  if (known.includes(name)) return;
  const near = nearest(name, known);
  if (mayCome && near === undefined && name !== '') return;
  throw new UsageError(`there is no tool "${name}"${near === undefined ? '' : `; did you mean "${near}"?`}`);
}

function isAmong(names: readonly string[], { definition, sets }: CompiledTool): boolean {
  return names.some((name) => name === 'all' || name === definition.name || sets.includes(name));
}

/** What the server object itself says of it. */
function isOffered(server: Pick<ServerObject, 'offers'>, { definition }: CompiledTool): boolean {
  return server.offers?.(definition) ?? true;
}
