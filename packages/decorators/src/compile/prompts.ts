import { freeze, type ObjectSchema } from '../schema/json-schema.ts';
import { described } from './described.ts';
import { inputShape, textProblems, type InputShape } from './input-schema.ts';
import { defineLazily } from './lazy.ts';
import type { Member } from './member.ts';
import type { CompiledPrompt, PromptDefinition } from './primitives.ts';
import type { Problems } from './problems.ts';

export function compilePrompts(members: readonly Member<'prompt'>[], problems: Problems): readonly CompiledPrompt[] {
  return members.map((member) => {
    const { name, owner, place, options } = member;
    const input = inputShape(member, { name: 'args', target: options.args }, problems);
    problems.inspect(() => textProblems(member, input));
    return { member: name, owner, place, definition: definitionOf(member, input), input };
  });
}

/** Its arguments are looked up when they are read first. */
function definitionOf(member: Member<'prompt'>, input: InputShape): PromptDefinition {
  const definition: PromptDefinition = described(member);
  if (input.kind === 'class') defineLazily(definition, 'arguments', () => argumentsOf(input.schema.input));
  return Object.freeze(definition);
}

function argumentsOf({ properties, required = [] }: ObjectSchema): NonNullable<PromptDefinition['arguments']> {
  const known = Object.entries(properties).map(([name, { description }]) => ({
    name,
    ...(description !== undefined && { description }),
    required: required.includes(name),
  }));
  return freeze(known);
}
