import type { ResourceOptions } from '../metadata/annotation.ts';
import { annotateMember } from '../metadata/annotation.ts';

type ResourceMethod<Variables> = (variables: Variables, context: never) => unknown;

/**
 * Makes a method a resource (`uri`) or a resource template (`uriTemplate`).
 *
 * A string is sent as text, bytes as a blob, `{ contents: [{ uri, … }] }` as it is, any other object as JSON text.
 * The variables arrive decoded and validated; numbers and booleans among them are parsed.
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
