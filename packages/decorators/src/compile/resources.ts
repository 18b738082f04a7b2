import { freeze } from '../schema/json-schema.ts';
import { described, frozenCopy } from './described.ts';
import { inputShape, textProblems, type InputShape } from './input-schema.ts';
import { isErased, type Member } from './member.ts';
import type { CompiledResource, CompiledResourceTemplate, DescribedResource } from './primitives.ts';
import type { Problems } from './problems.ts';
import { UriTemplate } from './uri-template.ts';

export interface CompiledResources {
  readonly resources: readonly CompiledResource[];
  readonly templates: readonly CompiledResourceTemplate[];
}

export function compileResources(members: readonly Member<'resource'>[], problems: Problems): CompiledResources {
  for (const { options, place } of members) {
    if ((options.uri === undefined) === (options.uriTemplate === undefined))
      problems.push(`${place}: a resource has either a uri or a uriTemplate`);
  }
  const templates = members.flatMap((member) => compileTemplate(member, problems));
  return { resources: members.flatMap((member) => compileFixed(member, problems)), templates };
}

function compileFixed(member: Member<'resource'>, problems: Problems): readonly CompiledResource[] {
  const { name, owner, place, options } = member;
  const { uri, cache } = options;
  if (uri === undefined) return [];
  if (!URL.canParse(uri)) problems.push(`${place}: "${uri}" is not a URI`);
  // With the type erased there is nothing else that its first parameter could be.
  const input = inputShape(member, { name: 'variables', target: isErased(member.firstParameter) ? null : undefined }, problems);
  if (input.kind === 'class' || options.variables !== undefined)
    problems.push(`${place}: a resource with a fixed uri has no variables; its method takes (context)`);
  const definition = freeze({ ...describedResource(member), uri });
  return [{ member: name, owner, place, definition, input, cache: cache && frozenCopy(cache) }];
}

function compileTemplate(member: Member<'resource'>, problems: Problems): readonly CompiledResourceTemplate[] {
  const { name, owner, place, options } = member;
  const { uriTemplate, variables, cache } = options;
  if (uriTemplate === undefined) return [];
  const template = UriTemplate.parse(uriTemplate);
  const input = inputShape(member, { name: 'variables', target: variables }, problems);
  problems.inspect(() => textProblems(member, input));
  if (typeof template === 'string') {
    problems.push(`${place}: the URI template "${uriTemplate}" is wrong: ${template}`);
    return [];
  }
  problems.inspect(() => differences(place, template, input));
  const definition = freeze({ ...describedResource(member), uriTemplate });
  return [{ member: name, owner, place, definition, input, template, cache: cache && frozenCopy(cache) }];
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

/** Reports templates that match exactly the same URIs, because the second of them would never be read. */
export function ambiguities(templates: readonly CompiledResourceTemplate[]): readonly string[] {
  const first = new Map<string, CompiledResourceTemplate>();
  return templates.flatMap((resource) => {
    const shape = shapeOf(resource.definition.uriTemplate);
    const earlier = first.get(shape);
    if (earlier === undefined) first.set(shape, resource);
    return earlier === undefined ? [] : [`${resource.place}: its URI template matches the same URIs as that of ${earlier.place}`];
  });
}

/** Replaces the names of variables in the path, which no URI contains; a query contains its names, in any order. */
function shapeOf(template: string): string {
  return template.replaceAll(/\{([+?]?)([^{}]*)\}/g, (_, operator: string, names: string) =>
    operator === '?' ? `{?${names.split(',').toSorted().join()}}` : `{${operator}}`,
  );
}

function describedResource(member: Member<'resource'>): DescribedResource {
  const { mimeType, annotations } = member.options;
  return {
    ...described(member),
    ...(mimeType !== undefined && { mimeType }),
    ...(annotations !== undefined && { annotations: frozenCopy(annotations) }),
  };
}
