import { annotateMember } from '../metadata/annotation.ts';
import type { ToolOptions } from '../metadata/options.ts';
import type { Returned } from './returned.ts';

/** A method that does what a tool is for. */
type ToolMethod<Input, Output> = (input: Input, context: never) => Returned<Output>;

/**
 * Makes a method a tool: `(input, context) => result`.
 *
 * `input` is an instance of the input class, already validated; with `inputSchema`, the arguments as they came. A string becomes
 * text, an object of the `output` class becomes structured content and its JSON as text, a `Result` is sent as it is. A thrown
 * `ToolError` is shown to the model. An override in a subclass stays the same tool without a decorator; with one, the options it
 * gives replace the inherited ones.
 */
export function Tool<Input extends object = never, Output extends object = never>(
  options: ToolOptions<Input, Output>,
): <Method extends ToolMethod<Input, Output>>(
  prototype: object,
  member: string,
  method: TypedPropertyDescriptor<Method>,
) => void {
  return (prototype, member) => annotateMember(prototype, member, { kind: 'tool', options });
}
