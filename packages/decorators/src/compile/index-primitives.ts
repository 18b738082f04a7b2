import type { Primitives } from './compile-primitives.ts';
import type { CompiledServer, CompiledTool } from './primitives.ts';
import type { Problems } from './problems.ts';
import { ambiguities } from './resources.ts';

/** All primitives of a server by what clients call them by; what has the name of another is added to the list. */
export function indexPrimitives(
  all: readonly Primitives[],
  problems: Problems,
): Pick<CompiledServer, 'tools' | 'resources' | 'templates' | 'prompts' | 'completions'> {
  const tools = all.flatMap((each) => each.tools);
  const resources = all.flatMap((each) => each.resources);
  const templates = all.flatMap((each) => each.templates);
  const prompts = all.flatMap((each) => each.prompts);
  problems.push(...ambiguities(templates), ...tools.flatMap((tool) => misnamedSets(tool, tools)));
  return {
    tools: keyed('tool', tools, ({ definition }) => definition.name, problems),
    resources: keyed('resource', resources, ({ definition }) => definition.uri, problems),
    templates,
    prompts: keyed('prompt', prompts, ({ definition }) => definition.name, problems),
    completions: new Map(all.flatMap(({ completions }) => [...completions])),
  };
}

/** What the operator names is a tool or a set of them. */
function misnamedSets(tool: CompiledTool, tools: readonly CompiledTool[]): readonly string[] {
  const taken = tool.sets.filter((set) => tools.some(({ definition }) => definition.name === set));
  return taken.map((set) => `${whereabouts(tool)}: the set "${set}" has the name of a tool`);
}

interface Placed {
  readonly place: string;
  readonly owner: readonly string[];
}

function keyed<Primitive extends Placed>(
  kind: string,
  primitives: readonly Primitive[],
  keyOf: (primitive: Primitive) => string,
  problems: Problems,
): ReadonlyMap<string, Primitive> {
  const map = new Map<string, Primitive>();
  for (const primitive of primitives) {
    const key = keyOf(primitive);
    const first = map.get(key);
    if (first !== undefined)
      problems.push(`${whereabouts(primitive)}: the ${kind} "${key}" is already defined by ${whereabouts(first)}`);
    map.set(key, primitive);
  }
  return map;
}

/** With the property that holds it, because two features may be of one class. */
function whereabouts({ place, owner }: Placed): string {
  return owner.length === 0 ? place : `${place} of the feature ${owner.join('.')}`;
}
