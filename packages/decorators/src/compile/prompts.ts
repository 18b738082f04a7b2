import { freeze, type ObjectSchema } from '../schema/json-schema.ts';
import type { CompiledPrompt, InputShape, PromptDefinition } from './compiled-server.ts';
import { defineLazyProperty, describePrimitive } from './definition.ts';
import { findTextProblems, resolveInput } from './input-shape.ts';
import type { Member } from './member.ts';
import type { Problems } from './problems.ts';

export function compilePrompts(members: readonly Member<'prompt'>[], problems: Problems): readonly CompiledPrompt[] {
  return members.map((member) => {
    const { name, owner, place, options } = member;
    const input = resolveInput(member, { name: 'args', target: options.args }, problems);
    problems.inspect(() => findTextProblems(member, input));
    return { member: name, owner, place, definition: definePrompt(member, input), input };
  });
}

/** Returns the definition of a prompt, whose arguments are computed on first access. */
function definePrompt(member: Member<'prompt'>, input: InputShape): PromptDefinition {
  const definition: PromptDefinition = describePrimitive(member);
  if (input.kind === 'class') defineLazyProperty(definition, 'arguments', () => listArguments(input.schema.input));
  return Object.freeze(definition);
}

function listArguments({ properties, required = [] }: ObjectSchema): NonNullable<PromptDefinition['arguments']> {
  const known = Object.entries(properties).map(([name, { description }]) => ({
    name,
    ...(description !== undefined && { description }),
    required: required.includes(name),
  }));
  return freeze(known);
}
