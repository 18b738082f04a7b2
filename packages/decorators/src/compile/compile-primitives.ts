import type { MemberKind } from '../metadata/annotation.ts';
import { compileCompletions } from './completions.ts';
import { flatten, type Composite } from './composite.ts';
import { PROMPT, RESOURCE, TOOL } from './kind.ts';
import type { Member } from './member.ts';
import { strayDisabled } from './members.ts';
import { offeredMembers, served } from './offered.ts';
import type {
  CompiledCompletion,
  CompiledPrompt,
  CompiledResource,
  CompiledResourceTemplate,
  CompiledTool,
} from './primitives.ts';
import type { Problems } from './problems.ts';
import { compilePrompts } from './prompts.ts';
import { compileResources } from './resources.ts';
import { compileTools } from './tools.ts';

/** The primitives of a server, or of a feature that is served besides, in order. */
export interface Primitives {
  readonly tools: readonly CompiledTool[];
  readonly resources: readonly CompiledResource[];
  readonly templates: readonly CompiledResourceTemplate[];
  readonly prompts: readonly CompiledPrompt[];
  readonly completions: ReadonlyMap<string, CompiledCompletion>;
}

/** Compiles what a class and its features have; what is wrong with it is added to the list. */
export function compilePrimitives(composite: Composite, problems: Problems): Primitives {
  const { target } = composite;
  problems.push(...flatten(composite).flatMap((part) => strayDisabled(part.target)));
  const offered = {
    tools: offeredMembers(composite, TOOL, problems),
    resources: offeredMembers(composite, RESOURCE, problems),
    prompts: offeredMembers(composite, PROMPT, problems),
  };
  const tools = compileTools(checked(offered.tools, problems), problems);
  const { resources, templates } = compileResources(checked(offered.resources, problems), problems);
  const prompts = compilePrompts(checked(offered.prompts, problems), problems);
  const completions = compileCompletions(composite, { members: offered, prompts, templates }, problems);
  if (problems.isEmpty && tools.length + resources.length + templates.length + prompts.length === 0)
    problems.push(`${target.name}: ${nothingServed(Object.values(offered).flat())}`);
  return { tools, resources, templates, prompts, completions };
}

/** The members that are served; what is wrong with them is added to the list. */
function checked<Name extends MemberKind>(offered: readonly Member<Name>[], problems: Problems): readonly Member<Name>[] {
  const members = served(offered);
  problems.push(...members.flatMap((member) => member.problems));
  return members;
}

function nothingServed(offered: readonly unknown[]): string {
  return offered.length > 0
    ? 'all its tools, resources and prompts are removed or disabled'
    : 'has no tool, resource or prompt; was it compiled with "experimentalDecorators": true?';
}
