import { annotateMember } from '../metadata/annotation.ts';
import type { ResourceOptions } from '../metadata/options.ts';

/** A method that reads a resource. */
type ResourceMethod<Variables> = (variables: Variables, context: never) => unknown;

/**
 * Makes a method a resource (`uri`) or a resource template (`uriTemplate`).
 *
 * A string is sent as text, bytes as a blob, `{ contents: [{ text, … }] }` as it is, with the URI that was asked for where it
 * gives none, any other object as JSON text. Beside its `contents` it may say how long clients may keep them, as `cache` does.
 * The variables arrive decoded and validated; numbers and booleans among them are parsed. A thrown `ToolError` with the code
 * NOT_FOUND or PATH_OUTSIDE_ROOTS says that there is no such resource; other errors become JSON-RPC errors as with `@Prompt`.
 */
export function Resource<Variables extends object = never>(
  options: ResourceOptions<Variables>,
): <Method extends ResourceMethod<Variables>>(
  prototype: object,
  member: string,
  method: TypedPropertyDescriptor<Method>,
) => void {
  return (prototype, member) => annotateMember(prototype, member, { kind: 'resource', options });
}
