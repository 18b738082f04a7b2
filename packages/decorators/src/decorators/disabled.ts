import { annotateDisabled } from '../metadata/annotation.ts';
import { refuseMissingParentheses } from '../metadata/misuse.ts';

/** Any method. */
type DisabledMethod = (...parameters: never[]) => unknown;

/**
 * Removes an annotated method from the server: its tool, resource, prompt and completions.
 *
 * Decorates an override, alone or together with other decorators of the method, in any order. A subclass restores the member by
 * decorating it again, or by the entry `true` in the option `tools`, `prompts` or `resources` of `@McpServer`. On a method
 * without annotation, this is a definition error.
 */
export function Disabled(): <Method extends DisabledMethod>(
  prototype: object,
  member: string,
  method: TypedPropertyDescriptor<Method>,
) => void;
export function Disabled(target?: unknown, decorated?: unknown): (prototype: object, member: string) => void {
  refuseMissingParentheses('@Disabled', target, decorated);
  return (prototype, member) => annotateDisabled(prototype, member);
}
