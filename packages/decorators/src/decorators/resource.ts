import { annotateMember } from '../metadata/annotation.ts';
import { refuseMissingParentheses } from '../metadata/misuse.ts';
import type { ResourceOptions } from '../metadata/options.ts';

/** A method that reads a resource. */
type ResourceMethod<Variables> = (variables: Variables, context: never) => unknown;

/**
 * Makes a method a resource (`uri`) or a resource template (`uriTemplate`).
 *
 * A string is sent as text, bytes as a blob, any other object as JSON text. `{ contents: [{ text, … }] }` is sent unchanged;
 * entries without a URI get the requested URI, and the caching options of `cache` may be given next to `contents`.
 *
 * The variables arrive decoded and validated; numbers and booleans are parsed. A thrown `ToolError` with the code NOT_FOUND or
 * PATH_OUTSIDE_ROOTS means that the resource does not exist. Other errors become JSON-RPC errors as with `@Prompt`.
 */
export function Resource<Variables extends object = never>(
  options: ResourceOptions<Variables>,
): <Method extends ResourceMethod<Variables>>(prototype: object, member: string, method: TypedPropertyDescriptor<Method>) => void;
export function Resource(options: ResourceOptions, decorated?: unknown): (prototype: object, member: string) => void {
  refuseMissingParentheses('@Resource', options, decorated);
  return (prototype, member) => annotateMember(prototype, member, { kind: 'resource', options });
}
