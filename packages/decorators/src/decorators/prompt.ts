import { annotateMember } from '../metadata/annotation.ts';
import { refuseMissingParentheses } from '../metadata/misuse.ts';
import type { PromptOptions } from '../metadata/options.ts';

/** A method that creates messages from arguments. */
type PromptMethod<Arguments> = (args: Arguments, context: never) => unknown;

/**
 * Makes a method a prompt. A string becomes one user message, an array is used as the messages, and `{ messages }` is sent
 * unchanged.
 *
 * Arguments arrive as strings; numbers and booleans are parsed before validation. A thrown `ToolError` becomes a JSON-RPC error
 * with its text. Any other thrown value becomes a JSON-RPC error that reports only an internal error.
 */
export function Prompt<Arguments extends object = never>(
  options: PromptOptions<Arguments>,
): <Method extends PromptMethod<Arguments>>(prototype: object, member: string, method: TypedPropertyDescriptor<Method>) => void;
export function Prompt(options: PromptOptions, decorated?: unknown): (prototype: object, member: string) => void {
  refuseMissingParentheses('@Prompt', options, decorated);
  return (prototype, member) => annotateMember(prototype, member, { kind: 'prompt', options });
}
