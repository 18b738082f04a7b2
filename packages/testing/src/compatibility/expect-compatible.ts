import { compileServer, type CompiledServer, type Constructor } from '@org/mcp-decorators';

import { compareTools } from './compare-tools.ts';

/** What may differ. */
export interface CompatibilityOptions {
  /** Names of tools and prompts, URIs and URI templates whose changes are meant. */
  readonly except?: readonly string[];
}

type Offered<Kind extends 'tools' | 'prompts'> =
  CompiledServer[Kind] extends ReadonlyMap<string, infer Primitive> ? Primitive : never;

interface Change {
  /** Name or URI of what changed. */
  readonly of: string;
  readonly text: string;
}

/**
 * Throws an error that lists every way in which a server class breaks clients that know its parent: what was removed or
 * renamed, arguments that are narrower or newly required, results that are wider or not always there, hints that promise less.
 *
 * It compares what clients are shown, not what methods do. What cannot be shown to fit is listed: a `pattern` that was
 * rewritten, for instance, is a change.
 */
export function expectCompatible(subclass: Constructor, parent: Constructor, { except = [] }: CompatibilityOptions = {}): void {
  const before = compileServer(parent);
  const known = keysOf(before);
  for (const name of except)
    if (!known.includes(name)) throw new Error(`"${name}" is excepted, but ${parent.name} does not offer it`);
  const changes = changesOf(before, compileServer(subclass)).filter(({ of }) => !except.includes(of));
  if (changes.length === 0) return;
  const lines = changes.map(({ text }) => `- ${text}`);
  throw new Error(`${subclass.name} breaks clients of ${parent.name}:\n${lines.join('\n')}`);
}

function keysOf({ tools, resources, templates, prompts }: CompiledServer): readonly string[] {
  return [...tools.keys(), ...resources.keys(), ...byTemplate(templates).keys(), ...prompts.keys()];
}

function changesOf(before: CompiledServer, after: CompiledServer): readonly Change[] {
  return [
    ...changed('tool', [before.tools, after.tools], (old, now) => compareTools(old.definition, now.definition)),
    ...changed('resource', [before.resources, after.resources], () => []),
    ...changed('resource template', [byTemplate(before.templates), byTemplate(after.templates)], () => []),
    ...changed('prompt', [before.prompts, after.prompts], comparePrompts),
  ];
}

function byTemplate(templates: CompiledServer['templates']): ReadonlyMap<string, CompiledServer['templates'][number]> {
  return new Map(templates.map((template) => [template.definition.uriTemplate, template]));
}

function changed<Primitive extends { readonly member: string }>(
  kind: string,
  [before, after]: readonly [ReadonlyMap<string, Primitive>, ReadonlyMap<string, Primitive>],
  compare: (old: Primitive, now: Primitive) => readonly string[],
): readonly Change[] {
  return [...before].flatMap(([key, old]) => {
    const now = after.get(key);
    const texts = now === undefined ? [gone(old, after)] : compare(old, now);
    return texts.map((text) => ({ of: key, text: `${kind} ${key}: ${text}` }));
  });
}

function gone({ member }: { readonly member: string }, after: ReadonlyMap<string, { readonly member: string }>): string {
  const [renamed] = [...after].filter(([, now]) => now.member === member).map(([key]) => key);
  return renamed === undefined ? 'was removed' : `was renamed to ${renamed}`;
}

function comparePrompts({ definition: old }: Offered<'prompts'>, { definition: now }: Offered<'prompts'>): readonly string[] {
  const [before, after] = [old, now].map(
    (each) => new Map(each.arguments?.map(({ name, required }) => [name, required === true])),
  );
  const removed = [...(before?.keys() ?? [])].filter((name) => after?.has(name) !== true);
  const required = [...(after ?? [])].filter(([name, isRequired]) => isRequired && before?.get(name) !== true);
  return [
    ...removed.map((name) => `argument ${name} was removed`),
    ...required.map(([name]) => `argument ${name} is newly required`),
  ];
}
