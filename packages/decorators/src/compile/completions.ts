import { readCompletionAnnotations, readDisabledMembers } from '../metadata/annotation.ts';
import { getClassName, getLineage, type Constructor } from '../metadata/lineage.ts';
import type { CompleteOptions } from '../metadata/options.ts';
import { completionKey, type CompiledCompletion, type CompiledPrompt, type CompiledResourceTemplate } from './compiled-server.ts';
import type { FeatureTree } from './feature-tree.ts';
import { findMembers, findPrototypeMethod, getWireName, type Member } from './member.ts';
import type { Problems } from './problems.ts';

/** Arguments of prompts and variables of resource templates that completions may refer to. */
export interface Completable {
  /** Prompts and resources, with the removed ones: naming a removed member in a completion is not a mistake. */
  readonly members: { readonly prompts: readonly Member<'prompt'>[]; readonly resources: readonly Member<'resource'>[] };
  readonly prompts: readonly CompiledPrompt[];
  readonly templates: readonly CompiledResourceTemplate[];
  /** Whether no other prompts and resources may exist, because the classes of all features are known. */
  readonly isComplete: boolean;
}

interface AnnotatedCompletion extends CompiledCompletion {
  readonly options: CompleteOptions;
  readonly target: Constructor;
  /** Prototype of the decorated method. */
  readonly prototype: object;
}

/**
 * Compiles the completions of a server, by `completionKey`. A completion of a subclass replaces the completion of a base class, and a
 * completion of the server replaces the completion of a feature. A completion for a removed prompt or template is removed too.
 */
export function compileCompletions(
  composite: FeatureTree,
  completable: Completable,
  problems: Problems,
): ReadonlyMap<string, CompiledCompletion> {
  const completions = new Map<string, AnnotatedCompletion>();
  for (const completion of readCompletions(composite)) {
    const { key, problem, argumentProblem } = resolve(completion, completable);
    if (problem !== undefined) problems.push(`${completion.place}: ${problem}`);
    problems.inspect(() => (argumentProblem?.() ?? []).map((found) => `${completion.place}: ${found}`));
    if (key === undefined) continue;
    const first = completions.get(key);
    if (first === undefined || isOverride(completion, first)) completions.set(key, completion);
    else if (!isOwnedAbove(first, completion))
      problems.push(`${completion.place}: completes the same argument as ${first.place}; remove one of the two`);
  }
  return new Map([...completions].map(([key, { member, owner, place }]) => [key, { member, owner, place }]));
}

/** Lists the completions of a class, those of its base classes first, and then the completions of its features. */
function readCompletions({ target, owner, features }: FeatureTree): readonly AnnotatedCompletion[] {
  let own: AnnotatedCompletion[] = [];
  for (const prototype of getLineage(target)) {
    for (const [member, annotations] of readCompletionAnnotations(prototype)) {
      const place = `${getClassName(prototype)}.${member}`;
      own.push(...annotations.map((options) => ({ options, target, prototype, member, owner, place })));
    }
    const disabled = readDisabledMembers(prototype);
    own = own.filter(({ member }) => !disabled.has(member));
  }
  return [...own, ...features.flatMap(readCompletions)];
}

interface Resolved {
  /** Key of the completion. Absent if the completion has a problem, or if its prompt or template is unknown or was removed. */
  readonly key?: string;
  readonly problem?: string;
  /** Returns a list with a problem if the prompt does not have the argument, otherwise an empty list. */
  readonly argumentProblem?: () => readonly string[];
}

function resolve({ options, target, member }: AnnotatedCompletion, completable: Completable): Resolved {
  const { prompt, resource, argument } = options;
  if (findPrototypeMethod(target, member) === undefined)
    return { problem: '@Complete is for methods; declare the property as a method' };
  if (resource !== undefined && prompt === undefined) return resolveVariable(resource, argument, completable);
  if (prompt !== undefined && resource === undefined) return resolveArgument(prompt, argument, completable);
  return { problem: '@Complete requires either prompt or resource; give one of them' };
}

function resolveVariable(resource: string, argument: string, { members, templates, isComplete }: Completable): Resolved {
  const named = findMembers(members.resources, ({ options }) => options.uriTemplate === resource);
  if (named.length === 0)
    return isComplete
      ? { problem: `@Complete names "${resource}", which is not a URI template of this server; correct the template` }
      : {};
  const found = templates.find(({ definition }) => named.some(({ options }) => options.uriTemplate === definition.uriTemplate));
  if (found === undefined) return {};
  const { uriTemplate } = found.definition;
  if (!found.template.names.includes(argument))
    return { problem: `@Complete names {${argument}}, but "${uriTemplate}" has no such variable; correct the argument` };
  return { key: completionKey('resource', uriTemplate, argument) };
}

function resolveArgument(prompt: string, argument: string, { members, prompts, isComplete }: Completable): Resolved {
  const named = findMembers(members.prompts, (member) => getWireName(member) === prompt);
  if (named.length === 0)
    return isComplete ? { problem: `@Complete names "${prompt}", which is not a prompt of this server; correct the name` } : {};
  const found = prompts.find(({ definition }) => named.some((member) => getWireName(member) === definition.name));
  if (found === undefined) return {};
  const { name } = found.definition;
  return {
    key: completionKey('prompt', name, argument),
    argumentProblem: () =>
      found.definition.arguments?.some((one) => one.name === argument) === true
        ? []
        : [`@Complete names the argument "${argument}", but the prompt "${name}" has no such argument; correct the argument`],
  };
}

/**
 * Whether a completion replaces an earlier one with the same key: both belong to the same object, and a subclass declares the
 * later one.
 */
function isOverride(completion: AnnotatedCompletion, first: AnnotatedCompletion): boolean {
  return completion.owner === first.owner && completion.prototype !== first.prototype;
}

/**
 * Whether the earlier of two completions with the same key takes precedence, because its object contains the feature with the
 * later one.
 */
function isOwnedAbove(first: CompiledCompletion, { owner }: CompiledCompletion): boolean {
  return first.owner.length < owner.length && first.owner.every((property, position) => property === owner[position]);
}
