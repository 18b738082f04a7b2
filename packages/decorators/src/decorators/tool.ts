import { annotateMember } from '../metadata/annotation.ts';
import { refuseMissingParentheses } from '../metadata/misuse.ts';
import type { ToolOptions } from '../metadata/options.ts';
import type { Result } from '../results/result.ts';

/** Type that a method with an `output` class may return; without an `output` class, any type. */
type Returned<Output> = [Output] extends [never] ? unknown : Output | Result | Promise<Output | Result>;

/** A method that implements a tool. */
type ToolMethod<Input, Output> = (input: Input, context: never) => Returned<Output>;

/**
 * Makes a method a tool: `(input, context) => result`.
 *
 * `input` is a validated instance of the input class. With a Standard Schema, `input` is the value that the schema returns,
 * and with `inputSchema`, the validated arguments themselves. A string becomes text. An object of the `output` class becomes
 * structured content, and its JSON becomes the text. A `Result` is sent with the declared properties of its structured
 * content. The model sees a thrown `ToolError`.
 *
 * An override in a subclass remains the same tool without a decorator. The options of a decorated override replace the inherited
 * ones, except that `annotations` and `_meta` are merged.
 */
export function Tool<Input extends object = never, Output extends object = never>(
  options: ToolOptions<Input, Output>,
): <Method extends ToolMethod<Input, Output>>(prototype: object, member: string, method: TypedPropertyDescriptor<Method>) => void;
export function Tool(options: ToolOptions, decorated?: unknown): (prototype: object, member: string) => void {
  refuseMissingParentheses('@Tool', options, decorated);
  return (prototype, member) => annotateMember(prototype, member, { kind: 'tool', options });
}
