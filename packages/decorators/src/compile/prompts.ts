import type { Constructor } from '../metadata/lineage.ts';
import { freeze } from '../schema/json-schema.ts';
import { described } from './described.ts';
import { inputShape, type InputShape } from './input-schema.ts';
import { membersOf, type Member } from './members.ts';
import type { CompiledPrompt, PromptDefinition } from './primitives.ts';

export function compilePrompts(target: Constructor, problems: string[]): readonly CompiledPrompt[] {
  return membersOf(target, 'prompt').map((member) => compilePrompt(target, member, problems));
}

function compilePrompt(target: Constructor, member: Member<'prompt'>, problems: string[]): CompiledPrompt {
  const input = inputShape(member, { name: 'args', target: member.options.args }, target, problems);
  return { member: member.name, place: member.place, owner: [], definition: freeze({ ...described(member), ...argumentsOf(input) }), input };
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
