import { annotateMember } from '../metadata/annotation.ts';
import { refuseMissingParentheses } from '../metadata/misuse.ts';
import type { AppOptions } from '../metadata/options.ts';

/** A method that returns the HTML document of a view. */
type AppMethod = (context: never) => string | Promise<string>;

/**
 * Makes a method a view of MCP Apps: an HTML document that a client shows in a frame of its own beside the conversation. The document
 * contains its scripts and styles, because it has no network without `csp`. A tool names its view with the option `app`.
 *
 * Clients without MCP Apps can neither list nor read the view. The options of a decorated override are merged with the inherited ones.
 */
export function App(
  options: AppOptions,
): <Method extends AppMethod>(prototype: object, member: string, method: TypedPropertyDescriptor<Method>) => void;
export function App(options: AppOptions, decorated?: unknown): (prototype: object, member: string) => void {
  refuseMissingParentheses('@App', options, decorated);
  const { csp, permissions, prefersBorder, calls, ...resource } = options;
  const view = {
    ...(calls !== undefined && { calls }),
    ...(csp !== undefined && { csp }),
    ...(permissions !== undefined && { permissions }),
    ...(prefersBorder !== undefined && { prefersBorder }),
  };
  return (prototype, member) => annotateMember(prototype, member, { kind: 'resource', options: { ...resource, view } });
}
