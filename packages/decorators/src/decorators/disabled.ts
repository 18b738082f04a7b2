import { annotateDisabled } from '../metadata/annotation.ts';

/** Any method. */
type DisabledMethod = (...parameters: never[]) => unknown;

/**
 * Takes an annotated method out of the server: its tool, resource, prompt and completions.
 *
 * Stands on an override that needs no other decorator, or beside the decorators of the same method, in whatever order. A class
 * further down brings the member back by decorating it again, or by `true` in a table of `@McpServer`. On a method that nobody
 * annotated it is a definition error.
 */
export function Disabled(): <Method extends DisabledMethod>(
  prototype: object,
  member: string,
  method: TypedPropertyDescriptor<Method>,
) => void {
  return (prototype, member) => annotateDisabled(prototype, member);
}
