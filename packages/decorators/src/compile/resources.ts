import type { ViewOptions } from '../metadata/options.ts';
import { freeze } from '../schema/json-schema.ts';
import type { CompiledResource, CompiledResourceTemplate, DescribedResource, InputShape } from './compiled-server.ts';
import { copyFrozen, describePrimitive } from './definition.ts';
import { findTextProblems, resolveInput } from './input-shape.ts';
import { isErased, type Member } from './member.ts';
import { isViewUri } from './option-checks.ts';
import type { Problems } from './problems.ts';
import { UriTemplate } from './uri-template.ts';

/** Media type of the views of MCP Apps. */
export const VIEW_TYPE = 'text/html;profile=mcp-app';

export interface CompiledResources {
  readonly resources: readonly CompiledResource[];
  readonly templates: readonly CompiledResourceTemplate[];
}

export function compileResources(members: readonly Member<'resource'>[], problems: Problems): CompiledResources {
  for (const { options, place } of members) {
    if (options.view !== undefined && options.uri === undefined)
      problems.push(`${place}: a view needs a uri, such as ui://mcp-notes/board`);
    else if ((options.uri === undefined) === (options.uriTemplate === undefined))
      problems.push(`${place}: a resource has either a uri or a uriTemplate; give one of them`);
  }
  const templates = members.flatMap((member) => compileTemplate(member, problems));
  return { resources: members.flatMap((member) => compileFixed(member, problems)), templates };
}

function compileFixed(member: Member<'resource'>, problems: Problems): readonly CompiledResource[] {
  const { name, owner, place, options } = member;
  const { uri, cache, view } = options;
  if (uri === undefined) return [];
  problems.push(...findUriProblems(member, uri));
  // The method takes no variables, so a first parameter whose type was erased is the context.
  const input = resolveInput(member, { name: 'variables', target: isErased(member.firstParameter) ? null : undefined }, problems);
  if (input.kind === 'class' || options.variables !== undefined)
    problems.push(`${place}: a resource with a fixed uri has no variables; its method takes (context)`);
  const definition = freeze({ ...describeResource(member), uri });
  const shown = { isApp: view !== undefined, calls: view?.calls ?? [] };
  return [{ member: name, owner, place, definition, input, cache: cache && copyFrozen(cache), ...shown }];
}

function findUriProblems({ place, options: { view } }: Member<'resource'>, uri: string): readonly string[] {
  const isWrongView = view !== undefined && !isViewUri(uri);
  return [
    ...(isWrongView
      ? [`${place}: "${uri}" is not the URI of a view; write ui://, the name of the server and a name: ui://mcp-notes/board`]
      : []),
    ...(URL.canParse(uri) ? [] : [`${place}: "${uri}" is not a valid URI; write an absolute URI such as notes://index`]),
  ];
}

function compileTemplate(member: Member<'resource'>, problems: Problems): readonly CompiledResourceTemplate[] {
  const { name, owner, place, options } = member;
  const { uriTemplate, variables, cache } = options;
  if (uriTemplate === undefined) return [];
  const template = UriTemplate.parse(uriTemplate);
  const input = resolveInput(member, { name: 'variables', target: variables }, problems);
  problems.inspect(() => findTextProblems(member, input));
  if (typeof template === 'string') {
    problems.push(`${place}: the URI template "${uriTemplate}" is invalid: ${template}`);
    return [];
  }
  problems.inspect(() => compareVariables(place, template, input));
  const definition = freeze({ ...describeResource(member), uriTemplate });
  return [{ member: name, owner, place, definition, input, template, cache: cache && copyFrozen(cache) }];
}

function compareVariables(place: string, { names, template }: UriTemplate, input: InputShape): readonly string[] {
  const declared = input.kind === 'class' ? Object.keys(input.schema.input.properties) : [];
  const missing = names
    .filter((name) => !declared.includes(name))
    .map((name) => `${place}: "${template}" has the variable {${name}}, but its class has no such property; add the property`);
  const surplus = declared
    .filter((name) => !names.includes(name))
    .map(
      (name) =>
        `${place}: its class has the property "${name}", but "${template}" has no such variable; remove the property, or add the variable`,
    );
  return [...missing, ...surplus];
}

/** Reports templates that match exactly the same URIs, because the second one would never be read. */
export function findAmbiguousTemplates(templates: readonly CompiledResourceTemplate[]): readonly string[] {
  const first = new Map<string, CompiledResourceTemplate>();
  return templates.flatMap((resource) => {
    const shape = normalizeTemplate(resource.definition.uriTemplate);
    const earlier = first.get(shape);
    if (earlier === undefined) first.set(shape, resource);
    return earlier === undefined
      ? []
      : [`${resource.place}: its URI template matches the same URIs as the template of ${earlier.place}; change one of the two`];
  });
}

/**
 * Removes the variable names from the path, because URIs do not contain them. Sorts the names in the query, because
 * URIs contain them in any order.
 */
function normalizeTemplate(template: string): string {
  return template.replaceAll(/\{([+?]?)([^{}]*)\}/g, (_, operator: string, names: string) =>
    operator === '?' ? `{?${names.split(',').toSorted().join()}}` : `{${operator}}`,
  );
}

/**
 * Returns the `_meta.ui` of a view: its settings without `calls`, and an empty object for each permission, as MCP Apps requires.
 */
function describeView({ permissions, calls: _, ...settings }: ViewOptions): Readonly<Record<string, unknown>> {
  const granted = permissions && { permissions: Object.fromEntries(permissions.map((permission) => [permission, {}])) };
  return copyFrozen({ ...settings, ...granted });
}

function describeResource(member: Member<'resource'>): DescribedResource {
  const { annotations, view } = member.options;
  const mimeType = view === undefined ? member.options.mimeType : VIEW_TYPE;
  const described = describePrimitive(member);
  const ui = describeView(view ?? {});
  return {
    ...described,
    ...(mimeType !== undefined && { mimeType }),
    ...(Object.keys(ui).length > 0 && { _meta: { ...described._meta, ui } }),
    ...(annotations !== undefined && { annotations: copyFrozen(annotations) }),
  };
}
