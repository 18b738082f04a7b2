import { compileServer, type CompiledServer, type Constructor, type ToolDefinition, type ToolHints } from '@org/mcp-decorators';

import { compareSchemas } from './compare-schemas.ts';

/** Options for {@link expectCompatible}. */
export interface CompatibilityOptions {
  /** Names of tools and prompts, URIs and URI templates that may change. Default: nothing may change. */
  readonly except?: readonly string[];
}

type CompiledPrimitive<Kind extends 'tools' | 'prompts'> =
  CompiledServer[Kind] extends ReadonlyMap<string, infer Primitive> ? Primitive : never;

interface Change {
  /** Name or URI of the changed item. */
  readonly key: string;
  readonly text: string;
}

/**
 * Throws an error that lists the ways in which a server class breaks clients that know its parent: removed and renamed items,
 * arguments that are narrower or newly required, results that are wider or no longer guaranteed, and weaker hints.
 *
 * It compares the definitions that clients receive, not the behaviour of methods. A difference that cannot be proved compatible
 * is listed, for instance a rewritten `pattern`.
 */
export function expectCompatible(subclass: Constructor, parent: Constructor, { except = [] }: CompatibilityOptions = {}): void {
  const before = compileServer(parent);
  const known = listKeys(before);
  for (const name of except)
    if (!known.includes(name)) throw new Error(`"${name}" is listed in except, but ${parent.name} has no such item`);
  const changes = listChanges(before, compileServer(subclass)).filter(({ key }) => !except.includes(key));
  if (changes.length === 0) return;
  const lines = changes.map(({ text }) => `- ${text}`);
  throw new Error(`${subclass.name} breaks clients of ${parent.name}:\n${lines.join('\n')}`);
}

function listKeys({ tools, resources, templates, prompts }: CompiledServer): readonly string[] {
  return [...tools.keys(), ...resources.keys(), ...indexTemplates(templates).keys(), ...prompts.keys()];
}

function listChanges(before: CompiledServer, after: CompiledServer): readonly Change[] {
  return [
    ...compareEntries('tool', [before.tools, after.tools], (old, now) => compareTools(old.definition, now.definition)),
    ...compareEntries('resource', [before.resources, after.resources], () => []),
    ...compareEntries('resource template', [indexTemplates(before.templates), indexTemplates(after.templates)], () => []),
    ...compareEntries('prompt', [before.prompts, after.prompts], comparePrompts),
  ];
}

function indexTemplates(templates: CompiledServer['templates']): ReadonlyMap<string, CompiledServer['templates'][number]> {
  return new Map(templates.map((template) => [template.definition.uriTemplate, template]));
}

function compareEntries<Primitive extends { readonly member: string }>(
  kind: string,
  [before, after]: readonly [ReadonlyMap<string, Primitive>, ReadonlyMap<string, Primitive>],
  compare: (old: Primitive, now: Primitive) => readonly string[],
): readonly Change[] {
  return [...before].flatMap(([key, old]) => {
    const now = after.get(key);
    const texts = now === undefined ? [describeRemoval(old, after)] : compare(old, now);
    return texts.map((text) => ({ key, text: `${kind} ${key}: ${text}` }));
  });
}

function describeRemoval(
  { member }: { readonly member: string },
  after: ReadonlyMap<string, { readonly member: string }>,
): string {
  const [renamed] = [...after].filter(([, now]) => now.member === member).map(([key]) => key);
  return renamed === undefined ? 'was removed' : `was renamed to ${renamed}`;
}

function comparePrompts(
  { definition: old }: CompiledPrimitive<'prompts'>,
  { definition: now }: CompiledPrimitive<'prompts'>,
): readonly string[] {
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

interface HintMeaning {
  /** The value that a client must assume if the hint is absent. */
  readonly unset: boolean;
  /** The value that guarantees more restricted behaviour of the tool. */
  readonly promise: boolean;
}

const HINTS: Readonly<Record<keyof ToolHints, HintMeaning>> = {
  readOnlyHint: { unset: false, promise: true },
  destructiveHint: { unset: true, promise: false },
  idempotentHint: { unset: false, promise: true },
  openWorldHint: { unset: true, promise: false },
};

/** Further hints that a read-only tool implies. */
const READ_ONLY_HINTS: ToolHints = { readOnlyHint: true, destructiveHint: false, idempotentHint: true };

/** Returns the ways in which a tool breaks clients that know its former version. */
function compareTools(before: ToolDefinition, after: ToolDefinition): readonly string[] {
  return [
    ...compareSchemas(before.inputSchema, after.inputSchema, 'input'),
    ...compareOutputs(before.outputSchema, after.outputSchema),
    ...compareHints(before.annotations ?? {}, after.annotations ?? {}),
  ];
}

function compareOutputs(before: ToolDefinition['outputSchema'], after: ToolDefinition['outputSchema']): readonly string[] {
  if (before === undefined) return [];
  return after === undefined ? ['the result no longer has structured content'] : compareSchemas(before, after, 'output');
}

function compareHints(before: ToolHints, after: ToolHints): readonly string[] {
  const now = after.readOnlyHint === true ? { ...after, ...READ_ONLY_HINTS } : after;
  return Object.entries(HINTS)
    .map(([name, meaning]) => ({ name, ...meaning, was: Reflect.get(before, name) ?? meaning.unset }))
    .map((hint) => ({ ...hint, is: Reflect.get(now, hint.name) ?? hint.unset }))
    .filter(({ was, is, promise }) => was === promise && is !== promise)
    .map(({ name, was, is }) => `${name} was ${String(was)}, is ${String(is)}`);
}
