import type { CallLimits, ToolHints } from '../metadata/options.ts';
import { isRequestContextClass } from '../metadata/request-context-brand.ts';
import { ClassSchema } from '../schema/class-schema.ts';
import { freeze, type ObjectSchema, type JsonSchema, type JsonValue } from '../schema/json-schema.ts';
import type { CompiledTool, InputShape, ToolDefinition } from './compiled-server.ts';
import { copyFrozen, defineLazyProperty, describePrimitive, lazy } from './definition.ts';
import { resolveInput } from './input-shape.ts';
import type { Member, MemberOptions } from './member.ts';
import { isToolName } from './names.ts';
import { isInputClass, isRawSchema } from './option-checks.ts';
import type { Problems } from './problems.ts';

const NO_ARGUMENTS: ObjectSchema = freeze({ type: 'object', properties: {}, additionalProperties: false });

export const CONTRADICTION = 'has readOnlyHint: true and destructiveHint: true, but a read-only tool destroys nothing';

export function compileTools(members: readonly Member<'tool'>[], problems: Problems): readonly CompiledTool[] {
  return members.map((member) => compileTool(member, problems));
}

function compileTool(member: Member<'tool'>, problems: Problems): CompiledTool {
  const { name, owner, place, options } = member;
  const input = resolveToolInput(member, problems);
  const output = isInputClass(options.output) ? ClassSchema.of(options.output) : undefined;
  problems.inspect(() => (output?.problems ?? []).map((problem) => `${place}: ${problem}`));
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
  };
}

/** Whether hints declare that a tool changes nothing and that it destroys something. */
export function contradictsItself(hints: ToolHints | null | undefined): boolean {
  return hints?.readOnlyHint === true && hints.destructiveHint === true;
}

/** The schemas are computed on first access, and so never for disabled tools. */
function defineTool(member: Member<'tool'>, input: InputShape, output: ClassSchema | undefined): ToolDefinition {
  const { annotations } = member.options;
  const schema = lazy(() => createInputSchema(input));
  const definition: ToolDefinition = {
    ...describePrimitive(member),
    get inputSchema() {
      return schema();
    },
  };
  if (output !== undefined) defineLazyProperty(definition, 'outputSchema', () => output.output);
  return Object.freeze(
    annotations === undefined ? definition : Object.assign(definition, { annotations: copyFrozen(annotations) }),
  );
}

function createInputSchema(input: InputShape): ToolDefinition['inputSchema'] {
  if (input.kind === 'none') return NO_ARGUMENTS;
  return input.kind === 'raw' ? input.schema : describeDefaults(input.schema.input);
}

function resolveToolInput(member: Member<'tool'>, problems: Problems): InputShape {
  const { options, place, firstParameter } = member;
  const { input, inputSchema } = options;
  if (input !== undefined && inputSchema !== undefined)
    problems.push(`${place}: has both input and inputSchema; give one of them`);
  if (inputSchema === undefined) return resolveInput(member, { name: 'input', target: input }, problems);
  if (isRequestContextClass(firstParameter))
    problems.push(`${place}: with inputSchema its method takes (arguments, context), not (context)`);
  return isRawSchema(inputSchema) ? { kind: 'raw', schema: copyFrozen(inputSchema) } : { kind: 'none' };
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

function readScopes({ scopes, annotations }: MemberOptions<'tool'>): readonly string[] {
  return freeze([...new Set(Array.isArray(scopes) ? scopes : [annotations?.readOnlyHint === true ? 'read' : 'write'])]);
}

/**
 * Adds each default to the description of its parameter, because some hosts drop the keyword `default`. Leaves descriptions that
 * contain the word "default" and descriptions of booleans with the default `false` unchanged.
 */
function describeDefaults(schema: ObjectSchema): ObjectSchema {
  return freeze({ ...schema, properties: describeProperties(schema.properties) });
}

function describeProperties(properties: NonNullable<JsonSchema['properties']>): NonNullable<JsonSchema['properties']> {
  return Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, describeDefault(property)]));
}

function describeDefault(schema: JsonSchema): JsonSchema {
  const { default: initial, description = '', properties, items } = schema;
  return {
    ...schema,
    ...(needsWords(initial, description) && { description: addDefault(description, initial) }),
    ...(properties !== undefined && { properties: describeProperties(properties) }),
    ...(items !== undefined && { items: describeDefault(items) }),
  };
}

function needsWords(initial: JsonValue | undefined, description: string): initial is JsonValue {
  return initial !== undefined && initial !== false && !/\bdefault\b/i.test(description);
}

function addDefault(description: string, initial: JsonValue): string {
  const words = formatDefault(initial);
  return description === '' ? `Default: ${words}` : `${description}; default: ${words}`;
}

function formatDefault(value: JsonValue): string {
  if (Array.isArray(value) && value.length > 0) return value.map(formatDefault).join(', ');
  return typeof value === 'string' && value !== '' ? value : JSON.stringify(value);
}
