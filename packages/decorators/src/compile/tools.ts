import { isRequestContextClass } from '../metadata/brand.ts';
import type { CallLimits } from '../metadata/options.ts';
import { ClassSchema } from '../schema/class-schema.ts';
import { freeze, type ObjectSchema } from '../schema/json-schema.ts';
import { describeDefaults } from './described-defaults.ts';
import { described, frozenCopy } from './described.ts';
import { inputShape, type InputShape } from './input-schema.ts';
import { defineLazily, lazy } from './lazy.ts';
import type { Member, OptionsOf } from './member.ts';
import { isToolName } from './names.ts';
import { isInputClass, isRawSchema } from './option-checks.ts';
import type { CompiledTool, ToolDefinition } from './primitives.ts';
import type { Problems } from './problems.ts';

const NO_ARGUMENTS: ObjectSchema = freeze({ type: 'object', properties: {}, additionalProperties: false });

export function compileTools(members: readonly Member<'tool'>[], problems: Problems): readonly CompiledTool[] {
  return members.map((member) => compileTool(member, problems));
}

function compileTool(member: Member<'tool'>, problems: Problems): CompiledTool {
  const { name, owner, place, options } = member;
  const input = toolInput(member, problems);
  const output = isInputClass(options.output) ? ClassSchema.of(options.output) : undefined;
  problems.inspect(() => (output?.problems ?? []).map((problem) => `${place}: ${problem}`));
  const definition = definitionOf(member, input, output);
  if (!isToolName(definition.name))
    problems.push(`${place}: "${definition.name}" is not a tool name; use 1 to 64 of A-Z a-z 0-9 _ - . /`);
  if (definition.description === undefined) problems.push(`${place}: a tool needs a description; models choose by it`);
  return {
    member: name,
    owner,
    place,
    definition,
    input,
    output,
    limits: limitsOf(options),
    scopes: scopesOf(options),
    sets: setsOf(options),
  };
}

/** Its schemas are made when they are read first: of tools that are not offered, never. */
function definitionOf(member: Member<'tool'>, input: InputShape, output: ClassSchema | undefined): ToolDefinition {
  const { annotations } = member.options;
  const schema = lazy(() => inputSchemaOf(input));
  const definition: ToolDefinition = {
    ...described(member),
    get inputSchema() {
      return schema();
    },
  };
  if (output !== undefined) defineLazily(definition, 'outputSchema', () => output.output);
  return Object.freeze(
    annotations === undefined ? definition : Object.assign(definition, { annotations: frozenCopy(annotations) }),
  );
}

function inputSchemaOf(input: InputShape): ToolDefinition['inputSchema'] {
  if (input.kind === 'none') return NO_ARGUMENTS;
  return input.kind === 'raw' ? input.schema : describeDefaults(input.schema.input);
}

function toolInput(member: Member<'tool'>, problems: Problems): InputShape {
  const { options, place, firstParameter } = member;
  const { input, inputSchema } = options;
  if (input !== undefined && inputSchema !== undefined)
    problems.push(`${place}: has both input and inputSchema; give one of them`);
  if (inputSchema === undefined) return inputShape(member, { name: 'input', target: input }, problems);
  if (isRequestContextClass(firstParameter))
    problems.push(`${place}: with inputSchema its method takes (arguments, context), not (context)`);
  return isRawSchema(inputSchema) ? { kind: 'raw', schema: frozenCopy(inputSchema) } : { kind: 'none' };
}

function limitsOf({ timeoutMs, maxConcurrent, rateLimit }: OptionsOf<'tool'>): CallLimits {
  return freeze({
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(maxConcurrent !== undefined && { maxConcurrent }),
    ...(rateLimit !== undefined && { rateLimit: frozenCopy(rateLimit) }),
  });
}

function setsOf({ sets = ['default'] }: OptionsOf<'tool'>): readonly string[] {
  return freeze(Array.isArray(sets) ? [...new Set(sets)] : []);
}

function scopesOf({ scopes, annotations }: OptionsOf<'tool'>): readonly string[] {
  return freeze([...new Set(Array.isArray(scopes) ? scopes : [annotations?.readOnlyHint === true ? 'read' : 'write'])]);
}
