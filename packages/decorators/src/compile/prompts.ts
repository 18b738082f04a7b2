import { freeze } from '../schema/json-schema.ts';
import { described } from './described.ts';
import { inputShape, textProblems, type InputShape } from './input-schema.ts';
import type { Member } from './member.ts';
import type { CompiledPrompt, PromptDefinition } from './primitives.ts';

export function compilePrompts(members: readonly Member<'prompt'>[], problems: string[]): readonly CompiledPrompt[] {
  return members.map((member) => {
    const { name, owner, place, options } = member;
    const input = inputShape(member, { name: 'args', target: options.args }, problems);
    problems.push(...textProblems(member, input));
    return { member: name, owner, place, definition: freeze({ ...described(member), ...argumentsOf(input) }), input };
  });
}

function argumentsOf(input: InputShape): Pick<PromptDefinition, 'arguments'> {
  if (input.kind !== 'class') return {};
  const { properties, required = [] } = input.schema.input;
  return {
    arguments: Object.entries(properties).map(([name, { description }]) => ({
      name,
      ...(description !== undefined && { description }),
      required: required.includes(name),
    })),
  };
}
