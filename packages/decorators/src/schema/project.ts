import { isPlainObject } from './json-schema.ts';
import type { Plan, Shape, Union } from './plan.ts';

/** Copies what a plan declares out of a value, and nothing else. Throws if a union's object is of none of its classes. */
export function project(plan: Plan, value: object): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const { name, inherited, value: planned } of plan.properties.values()) {
    const given: unknown = isOwnAndEnumerable(value, name) ? Reflect.get(value, name) : undefined;
    if (given === undefined) continue;
    // Most are no objects; lists of ten thousands have no time for more.
    const copy = typeof given === 'object' ? projected(planned.shape, given, `${plan.target.name}.${name}`) : given;
    if (inherited) Object.defineProperty(kept, name, { value: copy, enumerable: true, writable: true, configurable: true });
    else kept[name] = copy;
  }
  return kept;
}

function isOwnAndEnumerable(value: object, name: string): boolean {
  return Object.prototype.propertyIsEnumerable.call(value, name);
}

function projected(shape: Shape, value: unknown, place: string): unknown {
  if (Array.isArray(value)) {
    const element = shape.kind === 'list' ? shape.items.shape : shape;
    return value.map((item: unknown) => projected(element, item, place));
  }
  if (!isPlainObject(value)) return value;
  switch (shape.kind) {
    case 'json':
      return value;
    case 'object':
      return project(shape.plan, value);
    case 'union':
      return project(memberOf(shape, value, place), value);
    case 'map':
      return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, projected(shape.values.shape, item, place)]));
    case 'list':
      return projected(shape.items.shape, value, place);
  }
}

function memberOf({ discriminator, members }: Union, value: Readonly<Record<string, unknown>>, place: string): Plan {
  const kind = value[discriminator];
  const member = members.get(kind);
  if (member !== undefined) return member;
  const known = [...members.keys()].map((pin) => JSON.stringify(pin)).join(', ');
  throw new TypeError(`${place}: a value has the ${discriminator} ${JSON.stringify(kind)}, which is none of ${known}`);
}
