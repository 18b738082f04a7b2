import { groupToolsBySet, type CompiledServer } from '@org/mcp-decorators';

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
