import type { Constructor } from '../metadata/lineage.ts';
import { ClassSchema } from '../schema/class-schema.ts';
import { freeze, type ObjectSchema } from '../schema/json-schema.ts';
import { described } from './described.ts';
import { inputShape } from './input-schema.ts';
import { membersOf, type Member } from './members.ts';
import { isToolName } from './names.ts';
import type { CompiledTool } from './primitives.ts';

const NO_ARGUMENTS: ObjectSchema = freeze({ type: 'object', properties: {}, additionalProperties: false });

export function compileTools(target: Constructor, problems: string[]): readonly CompiledTool[] {
  return membersOf(target, 'tool').map((member) => compileTool(target, member, problems));
}

function compileTool(target: Constructor, member: Member<'tool'>, problems: string[]): CompiledTool {
  const { options } = member;
  const input = inputShape(member, { name: 'input', target: options.input }, target, problems);
  const output = options.output && ClassSchema.of(options.output);
  problems.push(...(output?.problems ?? []).map((problem) => `${member.place}: ${problem}`));
  const definition = freeze({
    ...described(member),
    inputSchema: input.kind === 'class' ? input.schema.input : input.kind === 'raw' ? input.schema as never : NO_ARGUMENTS,
    ...(output && { outputSchema: output.output }),
    ...(options.annotations && { annotations: options.annotations }),
  });
  if (!isToolName(definition.name))
    problems.push(`${member.place}: "${definition.name}" is not a tool name; use 1 to 64 of A-Z a-z 0-9 _ - . /`);
  if (definition.description === undefined) problems.push(`${member.place}: a tool needs a description; models choose by it`);
  return { member: member.name, place: member.place, owner: [], limits: (({timeoutMs,maxConcurrent,rateLimit}) => ({...(timeoutMs!==undefined&&{timeoutMs}),...(maxConcurrent!==undefined&&{maxConcurrent}),...(rateLimit&&{rateLimit})}))(options), definition, input, output };
}
