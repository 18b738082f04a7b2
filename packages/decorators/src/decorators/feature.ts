import { annotateFeature } from '../metadata/annotation.ts';
import { refuseMissingParentheses } from '../metadata/misuse.ts';
import type { FeatureOptions } from '../metadata/options.ts';

/**
 * `Name` if the property of this name accepts an `Instance`, otherwise `never`. Accepts the name of a protected property without a
 * check, because its type is not visible here.
 */
type Holder<Target, Name, Instance> = Name extends keyof Target
  ? Target[Name] extends object
    ? [Instance] extends [Target[Name]]
      ? Name
      : never
    : never
  : Name;

/**
 * Adds the annotated methods of the object in a property to the server, after the server's own methods, in order of the
 * properties. Features may contain features.
 *
 * The constructor must assign the object; the property must not change afterwards. A subclass may override the property with an
 * object of a subclass, without a decorator. `@McpServer` on the class of a feature contributes only its options `tools`,
 * `prompts` and `resources`.
 */
export function Feature<Instance extends object = never>(
  options?: FeatureOptions<Instance>,
): <Target extends object, Name extends string>(prototype: Target, property: Name & Holder<Target, Name, Instance>) => void;
export function Feature(options: FeatureOptions = {}, decorated?: unknown): (prototype: object, property: string) => void {
  refuseMissingParentheses('@Feature', options, decorated);
  return (prototype, property) => annotateFeature(prototype, property, options);
}
