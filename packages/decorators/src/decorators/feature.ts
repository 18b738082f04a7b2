import { annotateFeature } from '../metadata/annotation.ts';
import type { FeatureOptions } from '../metadata/options.ts';

/** The name of a property that may hold an instance; a protected one is not looked at, because its type is not known outside. */
type Holder<Target, Name, Instance> = Name extends keyof Target
  ? Target[Name] extends object
    ? [Instance] extends [Target[Name]]
      ? Name
      : never
    : never
  : Name;

/**
 * Makes the object held by a property a feature: its annotated methods belong to the server too, after the server's own, in the
 * order of the properties. A feature may hold features.
 *
 * The object is assigned by the constructor and stays the same. A subclass overrides the property with an object of a subclass,
 * without a decorator. Of `@McpServer` on the class of a feature, only the tables count.
 */
export function Feature<Instance extends object = never>(
  options: FeatureOptions<Instance> = {},
): <Target extends object, Name extends string>(prototype: Target, property: Name & Holder<Target, Name, Instance>) => void {
  return (prototype, property) => annotateFeature(prototype, property, options);
}
