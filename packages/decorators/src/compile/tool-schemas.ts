import type { StandardSchema } from '../metadata/standard-schema.ts';
import { isRequestContextClass } from '../metadata/request-context-brand.ts';
import { ClassSchema } from '../schema/class-schema.ts';
import { freeze, type JsonSchema, type JsonValue, type ObjectSchema } from '../schema/json-schema.ts';
import { convertStandardSchema, isStandardSchema } from '../schema/standard-schema.ts';
import type { InputShape, OutputShape, ToolDefinition } from './compiled-server.ts';
import { copyFrozen } from './definition.ts';
import { resolveInput } from './input-shape.ts';
import type { Member } from './member.ts';
import { isInputClass, isRawSchema } from './option-checks.ts';
import type { Problems } from './problems.ts';

const NO_ARGUMENTS: ObjectSchema = freeze({ type: 'object', properties: {}, additionalProperties: false });

/** Finds the schema of the arguments of a tool. Adds mistakes to `problems`. */
export function resolveToolInput(member: Member<'tool'>, problems: Problems): InputShape {
  const { options, place, firstParameter } = member;
  const { input, inputSchema } = options;
  if (input !== undefined && inputSchema !== undefined)
    problems.push(`${place}: has both input and inputSchema; give one of them`);
  if (inputSchema === undefined && !isStandardSchema(input))
    return resolveInput(member, { name: 'input', target: input }, problems);
  if (isRequestContextClass(firstParameter))
    problems.push(
      `${place}: the method of a tool with ${inputSchema === undefined ? 'a schema' : 'inputSchema'} takes (arguments, context), not (context)`,
    );
  if (isStandardSchema(input)) return resolveStandard(input, { place, option: 'input' }, problems) ?? { kind: 'none' };
  return isRawSchema(inputSchema) ? { kind: 'raw', schema: copyFrozen(inputSchema) } : { kind: 'none' };
}

/** Finds the schema of the structured content of a tool, if any. Adds mistakes to `problems`. */
export function resolveToolOutput({ options: { output }, place }: Member<'tool'>, problems: Problems): OutputShape | undefined {
  if (isStandardSchema(output)) return resolveStandard(output, { place, option: 'output' }, problems);
  if (!isInputClass(output)) return undefined;
  const schema = ClassSchema.of(output);
  problems.inspect(() => schema.problems.map((problem) => `${place}: ${problem}`));
  return { kind: 'class', schema };
}

function resolveStandard(
  standard: StandardSchema,
  { place, option }: { readonly place: string; readonly option: 'input' | 'output' },
  problems: Problems,
): Extract<InputShape, { readonly kind: 'standard' }> | undefined {
  const { schema, problem = 'it must describe an object' } = convertStandardSchema(standard, option);
  if (isRawSchema(schema)) return { kind: 'standard', schema: copyFrozen(schema), standard };
  problems.push(`${place}: the schema of ${option} cannot be used: ${problem}`);
  return undefined;
}

/** Returns the JSON Schema that clients get. */
export function createInputSchema(input: InputShape): ToolDefinition['inputSchema'] {
  if (input.kind === 'none') return NO_ARGUMENTS;
  return input.kind === 'class' ? describeDefaults(input.schema.input) : input.schema;
}

/** Returns the JSON Schema that clients get. */
export function createOutputSchema(output: OutputShape): NonNullable<ToolDefinition['outputSchema']> {
  return output.kind === 'class' ? output.schema.output : output.schema;
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
