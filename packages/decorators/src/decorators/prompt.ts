import { annotateMember } from '../metadata/annotation.ts';
import type { PromptOptions } from '../metadata/options.ts';

/** A method that makes messages of arguments. */
type PromptMethod<Arguments> = (args: Arguments, context: never) => unknown;

/**
 * Makes a method a prompt: a string becomes one user message, an array is taken as messages, `{ messages }` is sent as it is.
 *
 * Arguments arrive as strings on the wire; numbers and booleans are parsed before they are validated. What the method throws
 * becomes a JSON-RPC error: the text of a `ToolError`, and of anything else only that it was an internal error.
 */
export function Prompt<Arguments extends object = never>(
  options: PromptOptions<Arguments>,
): <Method extends PromptMethod<Arguments>>(prototype: object, member: string, method: TypedPropertyDescriptor<Method>) => void {
  return (prototype, member) => annotateMember(prototype, member, { kind: 'prompt', options });
}
