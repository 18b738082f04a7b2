import { nearest } from '../nearest.ts';
import { shorten } from '../shorten.ts';
import { harmless, isHostile } from './free-form.ts';
import { Issues, REFUSED, type Issue } from './issues.ts';
import { describeType, hasType, isPlainObject, withArticle, type JsonType } from './json-schema.ts';
import type { Plan, PropertyPlan, Shape, Union, ValuePlan } from './plan.ts';
import { violation, type PropertyRule } from './rule.ts';

export type { Issue } from './issues.ts';

/** How values are read: as JSON, or as the strings that prompts, URIs, argv and environment carry. */
export interface ReadingOptions {
  /** Parse numbers and booleans out of strings; nothing else is parsed. Default: false. */
  readonly strings?: boolean;
}

/** Reads one value by a plan; collects every issue, at once. */
export class Reading {
  readonly #issues = new Issues();
  readonly #strings: boolean;

  constructor({ strings = false }: ReadingOptions) {
    this.#strings = strings;
  }

  /** What is wrong; empty if nothing is. */
  get issues(): readonly Issue[] {
    return this.#issues.list;
  }

  /** An instance of the plan's class; `undefined` if there are issues. */
  instance(plan: Plan, value: unknown): object | undefined {
    const instance = this.#object(plan, value);
    return instance === REFUSED ? undefined : instance;
  }

  #object(plan: Plan, given: unknown): object | typeof REFUSED {
    if (!isPlainObject(given)) return this.#mismatch(['object'], given);
    if (this.#issues.isTooDeep()) return REFUSED;
    const before = this.#issues.count;
    this.#refuseUnknown(plan, given);
    const instance = new plan.target();
    const values: unknown[] = [];
    for (const property of plan.properties.values()) values.push(this.#property(property, given, instance));
    const whole = this.#issues.count === before;
    let position = 0;
    // Only now, because a rule may look at the other properties of the instance.
    for (const property of plan.properties.values()) {
      const value = values[position];
      position += 1;
      if (value !== REFUSED) this.#checkProperty(property, value, instance, whole);
    }
    return this.#issues.count === before ? instance : REFUSED;
  }

  #refuseUnknown({ properties }: Plan, given: object): void {
    for (const key of Object.keys(given)) {
      if (properties.has(key)) continue;
      const near = this.#issues.areNamed ? nearest(key, properties.keys()) : undefined;
      this.#issues.addAt(key, near === undefined ? 'is not known' : `is not known; did you mean "${near}"?`);
    }
  }

  /** The value of a property, set on the instance; `undefined` if it is absent. */
  #property(property: PropertyPlan, given: Readonly<Record<string, unknown>>, instance: object): unknown {
    const { name, required, conditions, value } = property;
    const raw = Object.hasOwn(given, name) ? given[name] : undefined;
    if (raw === undefined || (raw === null && !takesNull(value.shape)))
      return required && conditions.length === 0 ? this.#issues.addAt(name, 'is required') : undefined;
    this.#issues.enter(name);
    const kept = this.#value(value, raw, instance);
    this.#issues.leave();
    if (kept !== REFUSED) set(instance, property, kept);
    return kept;
  }

  #value(plan: ValuePlan, given: unknown, holder: object): unknown {
    const { shape } = plan;
    switch (shape.kind) {
      case 'json':
        return this.#json(shape.types, given);
      case 'object':
        return this.#object(shape.plan, given);
      case 'union':
        return this.#member(shape, given);
      case 'map':
        return this.#map(shape.values, given, holder);
      case 'list':
        return this.#list(plan, shape.items, given, holder);
    }
  }

  #json(types: readonly JsonType[] | undefined, given: unknown): unknown {
    const value = this.#strings && typeof given === 'string' ? parse(given, types) : given;
    return types === undefined || hasOneOf(value, types) ? harmless(value, this.#issues) : this.#mismatch(types, value);
  }

  #list({ limits }: ValuePlan, items: ValuePlan, given: unknown, holder: object): unknown {
    if (!Array.isArray(given)) return this.#mismatch(['array'], given);
    if (limits.some((rule) => this.#breaks(rule, given, holder))) return REFUSED;
    return given.map((item: unknown, position) => {
      this.#issues.enter(position);
      const kept = this.#value(items, item, holder);
      this.#issues.leave();
      return kept;
    });
  }

  #map(values: ValuePlan, given: unknown, holder: object): unknown {
    if (!isPlainObject(given)) return this.#mismatch(['object'], given);
    const before = this.#issues.count;
    const kept: [string, unknown][] = [];
    for (const [key, item] of Object.entries(given)) {
      if (isHostile(key, this.#issues) || (item === null && !takesNull(values.shape))) continue;
      this.#issues.enter(key);
      kept.push([key, this.#value(values, item, holder)]);
      this.#issues.leave();
    }
    return this.#issues.count === before ? Object.fromEntries(kept) : REFUSED;
  }

  #member({ discriminator, members }: Union, given: unknown): unknown {
    if (!isPlainObject(given)) return this.#mismatch(['object'], given);
    const kind = Object.hasOwn(given, discriminator) ? given[discriminator] : undefined;
    const plan = members.get(kind);
    if (plan !== undefined) return this.#object(plan, given);
    const known = [...members.keys()].map((pin) => JSON.stringify(pin)).join(', ');
    const wrong = kind === undefined || kind === null ? 'is required' : `${quoted(kind)} is not known`;
    return this.#issues.addAt(discriminator, `${wrong}; one of ${known}`);
  }

  #checkProperty({ name, required, conditions, value }: PropertyPlan, kept: unknown, instance: object, whole: boolean): void {
    if (conditions.length > 0) {
      // A condition looks at other properties: where one is missing, it says nothing.
      const present: unknown = Reflect.get(instance, name);
      if (!whole || !conditions.every((condition) => condition(instance, present))) return;
      if (kept === undefined && required) this.#issues.addAt(name, 'is required');
    }
    if (kept === undefined) return;
    this.#issues.enter(name);
    this.#check(value, kept, instance);
    this.#issues.leave();
  }

  #check({ shape, rules }: ValuePlan, value: unknown, holder: object): void {
    if (shape.kind === 'list' && Array.isArray(value)) {
      for (const [position, item] of value.entries()) {
        if (item === REFUSED) continue;
        this.#issues.enter(position);
        this.#check(shape.items, item, holder);
        this.#issues.leave();
      }
      if (value.includes(REFUSED)) return;
    }
    for (const rule of rules) {
      const broken = this.#breaks(rule, value, holder);
      // The other rules would look at all of a text that was meant to be short.
      if (broken && rule.most !== undefined && lengthOf(value) > rule.most) return;
    }
  }

  #breaks(rule: PropertyRule, value: unknown, holder: object): boolean {
    try {
      if (rule.condition?.(holder, value) === false) return false;
      const message = violation(rule, value, holder);
      if (message !== undefined) this.#issues.add(message);
      return message !== undefined;
    } catch (error) {
      // It may have missed a property that was refused.
      if (this.#issues.count === 0) throw error;
      return false;
    }
  }

  #mismatch(types: readonly JsonType[], value: unknown): typeof REFUSED {
    return this.#issues.add(`expected ${types.map(withArticle).join(' or ')}, got ${this.#shown(value)}`);
  }

  /** A number, and a text that was to be parsed, are shown themselves; of anything else its type says more. */
  #shown(value: unknown): string {
    if (typeof value === 'number') return String(value);
    return this.#strings ? quoted(value) : describeType(value);
  }
}

function takesNull(shape: Shape): boolean {
  return shape.kind === 'json' && (shape.types === undefined || shape.types.includes('null'));
}

function hasOneOf(value: unknown, types: readonly JsonType[]): boolean {
  for (const type of types) if (hasType(value, type)) return true;
  return false;
}

function lengthOf(value: unknown): number {
  return typeof value === 'string' || Array.isArray(value) ? value.length : 0;
}

function quoted(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(shorten(value)) : describeType(value);
}

function parse(text: string, types: readonly JsonType[] = []): unknown {
  if (types.includes('string')) return text;
  if (types.includes('boolean') && /^(true|false)$/.test(text)) return text === 'true';
  const isNumber = types.includes('integer') || types.includes('number');
  return isNumber && /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text) ? Number(text) : text;
}

function set(instance: object, property: PropertyPlan, value: unknown): void {
  if (isAssignable(instance, property)) instance[property.name] = value;
  else Object.defineProperty(instance, property.name, { value, enumerable: true, writable: true, configurable: true });
}

/** Whether assigning can only make a property of the instance's own; it takes a tenth of the time of defining one. */
function isAssignable(_instance: object, { inherited }: PropertyPlan): _instance is Record<string, unknown> {
  return !inherited;
}
