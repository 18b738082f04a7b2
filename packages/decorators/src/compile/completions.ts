import { completionAnnotations, type CompleteOptions } from '../metadata/annotation.ts';
import { classNameOf, lineage, type Constructor } from '../metadata/lineage.ts';
import { completionKey, type CompiledCompletion, type CompiledPrompt, type CompiledResourceTemplate } from './primitives.ts';

/** What may be completed: the arguments of prompts and the variables of resource templates. */
export interface Completable {
  readonly prompts: readonly CompiledPrompt[];
  readonly templates: readonly CompiledResourceTemplate[];
}

/** The completions of a class, by {@link completionKey}; a subclass's replaces the same one above it. */
export function compileCompletions(
  target: Constructor,
  completable: Completable,
  problems: string[],
): ReadonlyMap<string, CompiledCompletion> {
  const completions = new Map<string, CompiledCompletion>();
  for (const { options, ...completion } of annotated(target)) {
    const problem = problemOf(options, completable);
    if (problem !== undefined) problems.push(`${completion.place}: ${problem}`);
    completions.set(keyOf(options), completion);
  }
  return completions;
}

function annotated(target: Constructor): readonly (CompiledCompletion & { readonly options: CompleteOptions })[] {
  return lineage(target).flatMap((prototype) =>
    [...completionAnnotations(prototype)].flatMap(([member, annotations]) =>
      annotations.map((options) => ({ options, owner: [], member, place: `${classNameOf(prototype)}.${member}` })),
    ),
  );
}

function keyOf({ prompt, resource, argument }: CompleteOptions): string {
  return prompt === undefined ? completionKey('resource', resource ?? '', argument) : completionKey('prompt', prompt, argument);
}

function problemOf({ prompt, resource, argument }: CompleteOptions, { prompts, templates }: Completable): string | undefined {
  if ((prompt === undefined) === (resource === undefined)) return '@Complete is for either a prompt or a resource';
  if (resource !== undefined) {
    const template = templates.find(({ definition }) => definition.uriTemplate === resource);
    if (template === undefined) return `@Complete names "${resource}", which is no URI template of this server`;
    return template.template.names.includes(argument) ? undefined : `@Complete names {${argument}}, which "${resource}" has not`;
  }
  const found = prompts.find(({ definition }) => definition.name === prompt);
  if (found === undefined) return `@Complete names "${prompt ?? ''}", which is no prompt of this server`;
  const known = found.definition.arguments?.some(({ name }) => name === argument) === true;
  return known ? undefined : `@Complete names the argument "${argument}", which the prompt "${prompt ?? ''}" has not`;
}
