import type { Constructor } from '../metadata/lineage.ts';
import { freeze } from '../schema/json-schema.ts';
import { described } from './described.ts';
import { inputShape, type InputShape } from './input-schema.ts';
import { membersOf, type Member } from './members.ts';
import type { CompiledResource, CompiledResourceTemplate } from './primitives.ts';
import { UriTemplate } from './uri-template.ts';

export interface CompiledResources {
  readonly resources: readonly CompiledResource[];
  readonly templates: readonly CompiledResourceTemplate[];
}

export function compileResources(target: Constructor, problems: string[]): CompiledResources {
  const members = membersOf(target, 'resource');
  for (const { options, place } of members) {
    if ((options.uri === undefined) === (options.uriTemplate === undefined))
      problems.push(`${place}: a resource has either a uri or a uriTemplate`);
  }
  const templates = members.flatMap((member) => compileTemplate(target, member, problems));
  problems.push(...ambiguities(templates));
  return {
    resources: members.flatMap((member) => compileFixed(target, member, problems)),
    templates,
  };
}

function compileFixed(target: Constructor, member: Member<'resource'>, problems: string[]): readonly CompiledResource[] {
  const { uri } = member.options;
  if (uri === undefined) return [];
  if (!URL.canParse(uri)) problems.push(`${member.place}: "${uri}" is not a URI`);
  const input = inputShape(member, { name: 'variables', target: undefined }, target, problems);
  if (input.kind === 'class')
    problems.push(`${member.place}: a resource with a fixed uri has no variables; its method takes (context)`);
  return [
    { member: member.name, place: member.place, owner: [], cache: member.options.cache, definition: freeze({ ...described(member), uri, ...mimeTypeOf(member) }), input },
  ];
}

function compileTemplate(
  target: Constructor,
  member: Member<'resource'>,
  problems: string[],
): readonly CompiledResourceTemplate[] {
  const { uriTemplate, variables } = member.options;
  if (uriTemplate === undefined) return [];
  const template = UriTemplate.parse(uriTemplate);
  const input = inputShape(member, { name: 'variables', target: variables }, target, problems);
  if (typeof template === 'string') {
    problems.push(`${member.place}: the URI template "${uriTemplate}" is wrong: ${template}`);
    return [];
  }
  problems.push(...differences(member.place, template, input));
  const definition = freeze({ ...described(member), uriTemplate, ...mimeTypeOf(member) });
  return [{ member: member.name, place: member.place, owner: [], cache: member.options.cache, definition, input, template }];
}

function differences(place: string, { names, template }: UriTemplate, input: InputShape): readonly string[] {
  const declared = input.kind === 'class' ? Object.keys(input.schema.input.properties) : [];
  const missing = names
    .filter((name) => !declared.includes(name))
    .map((name) => `${place}: "${template}" has {${name}}, its class has not`);
  const surplus = declared
    .filter((name) => !names.includes(name))
    .map((name) => `${place}: its class has "${name}", "${template}" has not`);
  return [...missing, ...surplus];
}

/** Templates that differ in the names of their variables alone: the second would never be asked. */
function ambiguities(templates: readonly CompiledResourceTemplate[]): readonly string[] {
  const first = new Map<string, CompiledResourceTemplate>();
  return templates.flatMap((resource) => {
    const shape = resource.definition.uriTemplate.replaceAll(/\w+(?=\})/g, '');
    const earlier = first.get(shape);
    if (earlier === undefined) first.set(shape, resource);
    return earlier === undefined ? [] : [`${resource.place}: its URI template matches the same URIs as that of ${earlier.place}`];
  });
}

function mimeTypeOf({ options }: Member<'resource'>): { readonly mimeType?: string } {
  return options.mimeType === undefined ? {} : { mimeType: options.mimeType };
}
