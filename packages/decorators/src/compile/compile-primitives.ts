import type { MemberKind } from '../metadata/annotation.ts';
import type {
  CompiledCompletion,
  CompiledPrompt,
  CompiledResource,
  CompiledResourceTemplate,
  CompiledTool,
} from './compiled-server.ts';
import { compileCompletions } from './completions.ts';
import { flattenTree, type FeatureTree } from './feature-tree.ts';
import type { Member } from './member.ts';
import { collectMembers, findStrayDisabled, withoutRemoved } from './members.ts';
import { PROMPT, RESOURCE, TOOL } from './primitive-kind.ts';
import type { Problems } from './problems.ts';
import { compilePrompts } from './prompts.ts';
import { compileResources } from './resources.ts';
import { compileTools } from './tools.ts';

/** Compiled tools, resources, templates, prompts and completions of a server or of one extra feature, in order of declaration. */
export interface Primitives {
  readonly tools: readonly CompiledTool[];
  readonly resources: readonly CompiledResource[];
  readonly templates: readonly CompiledResourceTemplate[];
  readonly prompts: readonly CompiledPrompt[];
  readonly completions: ReadonlyMap<string, CompiledCompletion>;
}

/** Compiles the annotated methods of a class and its features. Adds mistakes to `problems`. */
export function compilePrimitives(tree: FeatureTree, problems: Problems): Primitives {
  const { target } = tree;
  problems.push(...flattenTree(tree).flatMap((part) => findStrayDisabled(part.target)));
  const members = {
    tools: collectMembers(tree, TOOL, problems),
    resources: collectMembers(tree, RESOURCE, problems),
    prompts: collectMembers(tree, PROMPT, problems),
  };
  const tools = compileTools(checkMembers(members.tools, problems), problems);
  const { resources, templates } = compileResources(checkMembers(members.resources, problems), problems);
  const prompts = compilePrompts(checkMembers(members.prompts, problems), problems);
  const completions = compileCompletions(tree, { members, prompts, templates, isComplete: tree.isComplete }, problems);
  if (problems.isEmpty && tools.length + resources.length + templates.length + prompts.length === 0)
    problems.push(`${target.name}: ${describeEmpty(Object.values(members).flat())}`);
  return { tools, resources, templates, prompts, completions };
}

/** Returns the members that are served. Adds their mistakes to `problems`. */
function checkMembers<Name extends MemberKind>(offered: readonly Member<Name>[], problems: Problems): readonly Member<Name>[] {
  const members = withoutRemoved(offered);
  problems.push(...members.flatMap((member) => member.problems));
  return members;
}

function describeEmpty(offered: readonly unknown[]): string {
  return offered.length > 0
    ? 'all its tools, resources and prompts are removed or disabled'
    : 'has no tool, resource or prompt; decorate a method with @Tool(…), @Resource(…) or @Prompt(…)';
}
