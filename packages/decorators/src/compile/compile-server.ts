import { DefinitionError } from '../errors.ts';
import type { MemberKind } from '../metadata/annotation.ts';
import { classOf, isConstructor } from '../metadata/lineage.ts';
import { compileCompletions } from './completions.ts';
import { compositeOf, flatten, hasFeatures, type Composite } from './composite.ts';
import { PROMPT, RESOURCE, TOOL } from './kind.ts';
import type { Member } from './member.ts';
import { strayDisabled } from './members.ts';
import { offeredMembers, served } from './offered.ts';
import type { CompiledServer } from './primitives.ts';
import { compilePrompts } from './prompts.ts';
import { compileResources } from './resources.ts';
import { serverOptions } from './server-options.ts';
import { compileTools } from './tools.ts';

/** By class; by object where it holds features. */
const compiled = new WeakMap<object, CompiledServer>();

/**
 * Compiles an annotated class, or an object of one, once.
 *
 * A class has the features that its properties declare, an object those that it really holds; they are read when it is compiled
 * first.
 *
 * @throws DefinitionError with everything that is wrong, TypeError for what is neither a class nor an object of one
 */
export function compileServer(server: object): CompiledServer {
  const target = isConstructor(server) ? server : classOf(server);
  if (target === undefined) throw new TypeError('a server is an instance of a class');
  const object = server === target || !hasFeatures(target) ? undefined : server;
  const known = compiled.get(object ?? target);
  if (known !== undefined) return known;
  const problems: string[] = [];
  const result = compile(compositeOf(target, object, problems), problems);
  if (problems.length > 0) throw new DefinitionError([...new Set(problems)]);
  compiled.set(object ?? target, result);
  return result;
}

function compile(composite: Composite, problems: string[]): CompiledServer {
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
  if (problems.length === 0 && tools.length + resources.length + templates.length + prompts.length === 0)
    problems.push(`${target.name}: ${nothingServed(Object.values(offered).flat())}`);
  return {
    ...serverOptions(target, problems),
    tools: keyed('tool', tools, ({ definition }) => definition.name, problems),
    resources: keyed('resource', resources, ({ definition }) => definition.uri, problems),
    templates,
    prompts: keyed('prompt', prompts, ({ definition }) => definition.name, problems),
    completions,
  };
}

/** The members that are served; what is wrong with them is added to the list. */
function checked<Name extends MemberKind>(offered: readonly Member<Name>[], problems: string[]): readonly Member<Name>[] {
  const members = served(offered);
  problems.push(...members.flatMap((member) => member.problems));
  return members;
}

function nothingServed(offered: readonly unknown[]): string {
  return offered.length > 0
    ? 'all its tools, resources and prompts are removed or disabled'
    : 'has no tool, resource or prompt; was it compiled with "experimentalDecorators": true?';
}

interface Placed {
  readonly place: string;
  readonly owner: readonly string[];
}

function keyed<Primitive extends Placed>(
  kind: string,
  primitives: readonly Primitive[],
  keyOf: (primitive: Primitive) => string,
  problems: string[],
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
