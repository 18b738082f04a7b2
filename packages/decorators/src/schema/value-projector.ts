import { Issues, type Issue } from './issues.ts';
import { describeType, hasSomeType, isPlainObject, withArticle, type JsonType } from './json-schema.ts';
import type { Plan, PropertyPlan, Shape, Union, ValuePlan } from './plan.ts';
import { isViolated, type Condition } from './property-rule.ts';

/** Copies the declared properties of values that methods return, and collects the issues that clients would find in the copies. */
export class ValueProjector {
  readonly #issues = new Issues();

  /** Issues found so far; empty if the copy is valid. */
  get issues(): readonly Issue[] {
    return this.#issues.list;
  }

  /** Copies the declared properties of a value, nested ones included. */
  project(plan: Plan, value: object): Record<string, unknown> {
    const kept: Record<string, unknown> = {};
    const isPlain = Object.getPrototypeOf(value) === Object.prototype;
    for (const property of plan.properties.values()) {
      // A plain object inherits only the names of `Object.prototype`, so its other properties need no call of
      // `isOwnAndEnumerable`. For other objects, this call takes more time than all other checks.
      const isRead = (isPlain && !property.inherited) || isOwnAndEnumerable(value, property.name);
      this.#projectProperty(property, isRead ? Reflect.get(value, property.name) : undefined, value, kept);
    }
    return kept;
  }

  #projectProperty(property: PropertyPlan, given: unknown, holder: object, kept: Record<string, unknown>): void {
    const { name, inherited, value } = property;
    const isActive = areMet(property.conditions, holder, given);
    if (given === undefined) {
      if (property.required && isActive) this.#issues.addAt(name, 'is required');
      return;
    }
    let copy: unknown = given;
    if (!isSurelyValid(value, given)) {
      this.#issues.enter(name);
      copy = this.#projectValue(value, given, holder, isActive);
      this.#issues.leave();
    }
    if (inherited) Object.defineProperty(kept, name, { value: copy, enumerable: true, writable: true, configurable: true });
    else kept[name] = copy;
  }

  #projectValue({ shape, refinements }: ValuePlan, given: unknown, holder: object, isActive: boolean): unknown {
    const before = this.#issues.count;
    const copy = this.#projectShape(shape, given, holder, isActive);
    if (!isActive || this.#issues.count > before) return copy;
    const checked = shape.kind === 'json' ? copy : given;
    for (const rule of refinements) isViolated(rule, checked, holder, this.#issues);
    return copy;
  }

  #projectShape(shape: Shape, given: unknown, holder: object, isActive: boolean): unknown {
    if (shape.kind === 'json') return this.#projectJson(shape.types, given);
    if (shape.kind === 'list') return this.#projectList(shape.items, given, holder, isActive);
    if (!isPlainObject(given) || given instanceof Map || given instanceof Set) return this.#mismatch(['object'], given);
    if (shape.kind === 'object') return this.project(shape.plan, given);
    return shape.kind === 'map' ? this.#projectMap(shape.values, given, holder, isActive) : this.#projectUnion(shape, given);
  }

  #projectJson(types: readonly JsonType[] | undefined, given: unknown): unknown {
    if (types === undefined || hasSomeType(given, types)) return given;
    const sent = toSent(given);
    return sent !== given && hasSomeType(sent, types) ? sent : this.#mismatch(types, given);
  }

  #projectList(items: ValuePlan, given: unknown, holder: object, isActive: boolean): unknown {
    if (!Array.isArray(given)) return this.#mismatch(['array'], given);
    return given.map((item: unknown, position) => {
      if (isSurelyValid(items, item)) return item;
      this.#issues.enter(position);
      const copy = this.#projectValue(items, item, holder, isActive);
      this.#issues.leave();
      return copy;
    });
  }

  #projectMap(
    values: ValuePlan,
    given: Readonly<Record<string, unknown>>,
    holder: object,
    isActive: boolean,
  ): Record<string, unknown> {
    const kept: [string, unknown][] = [];
    for (const [key, item] of Object.entries(given)) {
      if (item === undefined) continue;
      this.#issues.enter(key);
      kept.push([key, this.#projectValue(values, item, holder, isActive)]);
      this.#issues.leave();
    }
    return Object.fromEntries(kept);
  }

  #projectUnion({ discriminator, members }: Union, given: Readonly<Record<string, unknown>>): unknown {
    const kind = given[discriminator];
    const plan = members.get(kind);
    if (plan !== undefined) return this.project(plan, given);
    const known = [...members.keys()].map((pin) => JSON.stringify(pin)).join(', ');
    return this.#issues.addAt(discriminator, `expected one of ${known}, got ${JSON.stringify(kind) ?? 'nothing'}`);
  }

  #mismatch(types: readonly JsonType[], value: unknown): unknown {
    return this.#issues.add(`expected ${types.map(withArticle).join(' or ')}, got ${describeReturned(value)}`);
  }
}

/** Whether a value is valid without further checks. This saves most of the time for long lists. */
function isSurelyValid({ shape, refinements }: ValuePlan, given: unknown): boolean {
  if (shape.kind !== 'json' || (shape.types !== undefined && !hasSomeType(given, shape.types))) return false;
  for (const { isSurelyValid: test } of refinements) if (test?.(given) !== true) return false;
  return true;
}

function areMet(conditions: readonly Condition[], holder: object, given: unknown): boolean {
  for (const condition of conditions) if (!condition(holder, given)) return false;
  return true;
}

function isOwnAndEnumerable(value: object, name: string): boolean {
  return Object.prototype.propertyIsEnumerable.call(value, name);
}

/** Returns what JSON contains instead of a value: a date becomes a string. */
function toSent(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('toJSON' in value) || typeof value.toJSON !== 'function') return value;
  return Reflect.apply(value.toJSON, value, []);
}

function describeReturned(value: unknown): string {
  if (typeof value === 'number') return String(value);
  return value instanceof Map ? 'a Map' : value instanceof Set ? 'a Set' : describeType(value);
}
