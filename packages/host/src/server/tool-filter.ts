import { isToolLister, findNearestName, type CompiledServer, type CompiledTool } from '@org/mcp-decorators';

import type { ServerOptions } from '../options/server-options.ts';
import type { ServerObject } from '../process/server-object.ts';
import { UsageError } from '../process/usage-error.ts';

type ToolChoice = Pick<ServerOptions, 'readOnly' | 'tools' | 'disableTools'>;

/**
 * Creates the filter for the tools that this process offers.
 * @throws UsageError for a name that is neither a tool nor a tool set. If the server adds tools later, only for a name
 * that resembles an existing one.
 */
export function createToolFilter(
  { server, compiled }: { readonly server: object; readonly compiled: CompiledServer },
  { readOnly, tools = ['default'], disableTools = [] }: ToolChoice,
): (tool: CompiledTool) => boolean {
  const known = [...compiled.tools.keys(), ...groupToolsBySet(compiled).keys()];
  for (const name of [...tools, ...disableTools]) assertKnown(name, known, isToolLister(server));
  return (tool) => {
    if (!isOffered(server, tool)) return false;
    const isReading = tool.definition.annotations?.readOnlyHint === true && !tool.scopes.includes('write');
    return isIn(tools, tool) && !isIn(disableTools, tool) && (!readOnly || isReading);
  };
}

function assertKnown(name: string, known: readonly string[], mayBeAdded: boolean): void {
  if (known.includes(name)) return;
  const near = findNearestName(name, known);
  if (mayBeAdded && near === undefined && name !== '') return;
  throw new UsageError(`unknown tool "${name}"${near === undefined ? '' : `; did you mean "${near}"?`}`);
}

function isIn(names: readonly string[], { definition, sets }: CompiledTool): boolean {
  return names.some((name) => name === 'all' || name === definition.name || sets.includes(name));
}

/** Whether the server object itself offers the tool. */
function isOffered(server: Pick<ServerObject, 'offers'>, { definition }: CompiledTool): boolean {
  return server.offers?.(definition) ?? true;
}

/**
 * Returns the tool sets to show to the operator, with the names of their tools. Returns no set if every tool is in
 * `default`.
 */
export function describeToolSets(compiled: Pick<CompiledServer, 'tools'>): readonly (readonly [name: string, tools: string])[] {
  const sets = [...groupToolsBySet(compiled)].filter(([name]) => name !== 'all');
  const [[, standard] = ['', []]] = sets;
  if (sets.length === 1 && standard.length === compiled.tools.size) return [];
  return sets.map(([name, tools]) => [name, tools.join(', ')]);
}

/** Returns the names of the tools in each set: first `default` and `all`, then the other sets in the order of the tools. */
function groupToolsBySet({ tools }: Pick<CompiledServer, 'tools'>): ReadonlyMap<string, readonly string[]> {
  const sets = new Map<string, string[]>([
    ['default', []],
    ['all', [...tools.keys()]],
  ]);
  for (const [name, tool] of tools) {
    for (const set of tool.sets) sets.set(set, [...(sets.get(set) ?? []), name]);
  }
  return sets;
}
