import type { CallLimits, ToolHints } from '../metadata/options.ts';
import { freeze } from '../schema/json-schema.ts';
import type { CompiledTool, InputShape, ToolApp, ToolDefinition } from './compiled-server.ts';
import { copyFrozen, defineLazyProperty, describePrimitive, lazy } from './definition.ts';
import type { Member, MemberOptions } from './member.ts';
import { isToolName } from './names.ts';
import type { Problems } from './problems.ts';
import { createInputSchema, createOutputSchema, resolveToolInput, resolveToolOutput } from './tool-schemas.ts';

export const CONTRADICTION = 'has readOnlyHint: true and destructiveHint: true, but a read-only tool destroys nothing';

export function compileTools(members: readonly Member<'tool'>[], problems: Problems): readonly CompiledTool[] {
  return members.map((member) => compileTool(member, problems));
}

function compileTool(member: Member<'tool'>, problems: Problems): CompiledTool {
  const { name, owner, place, options } = member;
  const input = resolveToolInput(member, problems);
  const output = resolveToolOutput(member, problems);
  const definition = defineTool(member, input, output);
  if (!isToolName(definition.name))
    problems.push(`${place}: "${definition.name}" is not a valid tool name; use 1 to 64 characters of A-Z a-z 0-9 _ - . /`);
  if (definition.description === undefined)
    problems.push(`${place}: a tool needs a description; models choose tools by their descriptions`);
  if (contradictsItself(options.annotations)) problems.push(`${place}: ${CONTRADICTION}; remove one of the two hints`);
  return {
    member: name,
    owner,
    place,
    definition,
    input,
    output,
    limits: readLimits(options),
    scopes: readScopes(options),
    sets: readSets(options),
    app: readApp(options),
  };
}

/** Whether hints declare that a tool changes nothing and that it destroys something. */
export function contradictsItself(hints: ToolHints | null | undefined): boolean {
  return hints?.readOnlyHint === true && hints.destructiveHint === true;
}

/**
 * Returns the definition of a tool. Its schemas are computed on first access, so a tool that is not listed or called needs none.
 */
function defineTool(member: Member<'tool'>, input: InputShape, output: CompiledTool['output']): ToolDefinition {
  const { annotations } = member.options;
  const schema = lazy(() => createInputSchema(input));
  const definition: ToolDefinition = {
    ...describePrimitive(member),
    get inputSchema() {
      return schema();
    },
  };
  if (output !== undefined) defineLazyProperty(definition, 'outputSchema', () => createOutputSchema(output));
  return Object.freeze(
    annotations === undefined ? definition : Object.assign(definition, { annotations: copyFrozen(annotations) }),
  );
}

function readLimits({ timeoutMs, maxConcurrent, rateLimit }: MemberOptions<'tool'>): CallLimits {
  return freeze({
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(maxConcurrent !== undefined && { maxConcurrent }),
    ...(rateLimit !== undefined && { rateLimit: copyFrozen(rateLimit) }),
  });
}

function readSets({ sets = ['default'] }: MemberOptions<'tool'>): readonly string[] {
  return freeze(Array.isArray(sets) ? [...new Set(sets)] : []);
}

function readApp({ app, visibility }: MemberOptions<'tool'>): ToolApp | undefined {
  if (app === undefined && visibility === undefined) return undefined;
  return freeze({
    ...(app !== undefined && { resourceUri: app }),
    ...(Array.isArray(visibility) && { visibility: [...new Set(visibility)] }),
  });
}

function readScopes({ scopes, annotations }: MemberOptions<'tool'>): readonly string[] {
  return freeze([...new Set(Array.isArray(scopes) ? scopes : [annotations?.readOnlyHint === true ? 'read' : 'write'])]);
}
