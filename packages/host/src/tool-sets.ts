import type { CompiledServer } from '@org/mcp-decorators';

/** The names of the tools in each set that is worth telling of: none where every tool is in the set `default`. */
export function shownToolSets(compiled: Pick<CompiledServer, 'tools'>): readonly (readonly [name: string, tools: string])[] {
  const sets = [...toolSetsOf(compiled)].filter(([name]) => name !== 'all');
  const [[, standard] = ['', []]] = sets;
  if (sets.length === 1 && standard.length === compiled.tools.size) return [];
  return sets.map(([name, tools]) => [name, tools.join(', ')]);
}

/** The names of the tools in each set that the operator may name: `default` and `all` first, then the others as they are met. */
export function toolSetsOf({ tools }: Pick<CompiledServer, 'tools'>): ReadonlyMap<string, readonly string[]> {
  const sets = new Map<string, string[]>([
    ['default', []],
    ['all', [...tools.keys()]],
  ]);
  for (const [name, tool] of tools) {
    for (const set of tool.sets) sets.set(set, [...(sets.get(set) ?? []), name]);
  }
  return sets;
}
