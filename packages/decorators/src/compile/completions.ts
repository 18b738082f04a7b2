import { completionAnnotations, disabledMembers } from '../metadata/annotation.ts';
import type { CompleteOptions } from '../metadata/options.ts';
import { classNameOf, lineage, type Constructor } from '../metadata/lineage.ts';
import type { Composite } from './composite.ts';
import { membersWith, methodOf, wireName, type Member } from './member.ts';
import { completionKey, type CompiledCompletion, type CompiledPrompt, type CompiledResourceTemplate } from './primitives.ts';
import type { Problems } from './problems.ts';

/** What may be completed: the arguments of prompts and the variables of resource templates. */
export interface Completable {
  /** All that a completion may name, what was removed too. */
  readonly members: { readonly prompts: readonly Member<'prompt'>[]; readonly resources: readonly Member<'resource'>[] };
  readonly prompts: readonly CompiledPrompt[];
  readonly templates: readonly CompiledResourceTemplate[];
}

interface AnnotatedCompletion extends CompiledCompletion {
  readonly options: CompleteOptions;
  readonly target: Constructor;
  /** The prototype that it stands on. */
  readonly prototype: object;
}

/**
 * The completions of a server, by {@link completionKey}. A subclass's replaces the same one above it, and a server's own that of
 * its features; one for something that was removed goes with it.
 */
export function compileCompletions(
  composite: Composite,
  completable: Completable,
  problems: Problems,
): ReadonlyMap<string, CompiledCompletion> {
  const completions = new Map<string, AnnotatedCompletion>();
  for (const completion of annotated(composite)) {
    const { key, problem, argumentProblem } = resolve(completion, completable);
    if (problem !== undefined) problems.push(`${completion.place}: ${problem}`);
    problems.inspect(() => (argumentProblem?.() ?? []).map((found) => `${completion.place}: ${found}`));
    if (key === undefined) continue;
    const first = completions.get(key);
    if (first === undefined || replaces(completion, first)) completions.set(key, completion);
    else if (!isAbove(first, completion)) problems.push(`${completion.place}: completes what ${first.place} completes`);
  }
  return new Map([...completions].map(([key, { member, owner, place }]) => [key, { member, owner, place }]));
}

/** Own ones first, base before leaf; then those of the features. */
function annotated({ target, owner, features }: Composite): readonly AnnotatedCompletion[] {
  let own: AnnotatedCompletion[] = [];
  for (const prototype of lineage(target)) {
    for (const [member, annotations] of completionAnnotations(prototype)) {
      const place = `${classNameOf(prototype)}.${member}`;
      own.push(...annotations.map((options) => ({ options, target, prototype, member, owner, place })));
    }
    const disabled = disabledMembers(prototype);
    own = own.filter(({ member }) => !disabled.has(member));
  }
  return [...own, ...features.flatMap(annotated)];
}

interface Resolved {
  /** Nothing where it cannot be called, or where what it completes was removed. */
  readonly key?: string;
  readonly problem?: string;
  /** Whether what it completes has the argument. */
  readonly argumentProblem?: () => readonly string[];
}

function resolve({ options, target, member }: AnnotatedCompletion, completable: Completable): Resolved {
  const { prompt, resource, argument } = options;
  if (methodOf(target, member) === undefined) return { problem: '@Complete is for methods' };
  if (resource !== undefined && prompt === undefined) return resolveVariable(resource, argument, completable);
  if (prompt !== undefined && resource === undefined) return resolveArgument(prompt, argument, completable);
  return { problem: '@Complete is for either a prompt or a resource' };
}

function resolveVariable(resource: string, argument: string, { members, templates }: Completable): Resolved {
  const named = membersWith(members.resources, ({ options }) => options.uriTemplate === resource);
  if (named.length === 0) return { problem: `@Complete names "${resource}", which is no URI template of this server` };
  const found = templates.find(({ definition }) => named.some(({ options }) => options.uriTemplate === definition.uriTemplate));
  if (found === undefined) return {};
  const { uriTemplate } = found.definition;
  if (!found.template.names.includes(argument))
    return { problem: `@Complete names {${argument}}, which "${uriTemplate}" has not` };
  return { key: completionKey('resource', uriTemplate, argument) };
}

function resolveArgument(prompt: string, argument: string, { members, prompts }: Completable): Resolved {
  const named = membersWith(members.prompts, (member) => wireName(member) === prompt);
  if (named.length === 0) return { problem: `@Complete names "${prompt}", which is no prompt of this server` };
  const found = prompts.find(({ definition }) => named.some((member) => wireName(member) === definition.name));
  if (found === undefined) return {};
  const { name } = found.definition;
  return {
    key: completionKey('prompt', name, argument),
    argumentProblem: () =>
      found.definition.arguments?.some((one) => one.name === argument) === true
        ? []
        : [`@Complete names the argument "${argument}", which the prompt "${name}" has not`],
  };
}

/** Of one object, a subclass's completion replaces that of the class above. */
function replaces(completion: AnnotatedCompletion, first: AnnotatedCompletion): boolean {
  return completion.owner === first.owner && completion.prototype !== first.prototype;
}

/** What holds a feature has the last word before it. */
function isAbove(first: CompiledCompletion, { owner }: CompiledCompletion): boolean {
  return first.owner.length < owner.length && first.owner.every((property, position) => property === owner[position]);
}
